import { quoted } from '../entry.ts';
import { isCosmeticRule, readHostsLine } from './hosts.ts';
import { eachLine, type ListFileItem, type ListFormat, listedEntry, skippedLine } from './list-format.ts';

/**
 * Filter list of Adblock Plus, uBlock Origin or AdGuard: `||host^` blocks a host and all below it, `||host/path` URLs
 * with this beginning on the host, `@@` in front allows them. Lines of a hosts file and hosts alone are read as in these
 * lists. Other rules are skipped, because any translation would be a guess.
 */
export const adblockFormat: ListFormat = {
  name: 'adblock',
  isLenient: true,
  read: eachLine(() => readRule),
};

/** Returns true for a line that only a filter list has. */
export function isAdblockLine(line: string): boolean {
  return /^(?:\|\||@@|\[Adblock)/i.test(line) || isCosmeticRule(line);
}

/** Options with which a rule still covers a whole site, since they include documents. */
const WHOLE_SITE = new Set(['all', 'doc', 'document', 'important']);

/**
 * A rule that begins at a host: scheme, if it covers that host alone, host, path, end mark, and options after a dollar
 * sign.
 */
const HOST_RULE = /^\|(?:\||(https?:\/\/))([^^$|/]+)(\/[^^$|]*)?([\^|]*)(?:\$(.*))?$/;

/** A host with at least one dot, or an address and names behind it. */
const OF_ANOTHER_LIST = /^(?:(?:\*?\.)?[\w-]+(?:\.[\w-]+)+|[\da-f:.]+\s+\S.*)$/i;

function readRule(line: string, number: number): readonly ListFileItem[] {
  const rule = line.trim();
  if (rule === '' || /^(?:!|\[[^\]]*\]$|#+(?:\s|$))/.test(rule)) return [];
  if (OF_ANOTHER_LIST.test(rule)) return readHostsLine(rule, number);
  const isException = rule.startsWith('@@');
  const [found, scheme, named = '', path, end = '', options] = HOST_RULE.exec(isException ? rule.slice(2) : rule) ?? [];
  // `||*.evil.example^` and `||.evil.example^` are all below the host, which a rule for the host blocks as well.
  const host = named.replace(/^\*?\./, '');
  const obstacle =
    unsupportedPart(rule.replace(/^(@@)?\|\|\*\./, '$1||'), found !== undefined, options) ?? unsupportedEnd(path, end);
  if (obstacle !== null) return [skippedLine(number, `${quoted(rule)} ${obstacle}`)];
  // An entry for one host, or one of its ports, is written as all of its URLs.
  const isAlone = scheme !== undefined || /:\d+$/.test(host.replace(/^\[.*\]/, ''));
  const value = path === undefined && !isAlone ? host : `http://${host}${path ?? '/'}${end === '' ? '*' : ''}`;
  return [listedEntry(value, number, { isException })];
}

/** Returns the part of a rule that no entry can express, as the end of a sentence; null if there is none. */
function unsupportedPart(rule: string, isOfHost: boolean, options: string | undefined): string | null {
  if (isCosmeticRule(rule) || /\$\$|#@?\$#/.test(rule)) return 'is about parts of a page';
  if (/^(?:@@)?\/.*\/(?:\$|$)/.test(rule)) return 'is a regular expression';
  if (rule.includes('*')) return 'has a wildcard';
  if (!isOfHost) return 'is a part of a URL, not a host as in ||host^';
  const odd = options?.split(',').find((option) => !WHOLE_SITE.has(option.trim()));
  return odd === undefined ? null : `has the option ${quoted(odd)}`;
}

/** `^` matches the end of a host or path; without it, a rule also matches longer paths and names. */
function unsupportedEnd(path: string | undefined, end: string): string | null {
  if (end === '^' || end === '^|' || (end === '' && path !== undefined)) return null;
  return path === undefined
    ? 'has no ^ after the host, so it is also the beginning of other names'
    : 'ends in the middle of a URL';
}
