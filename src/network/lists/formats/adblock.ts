import { quoted } from '../quoted.ts';
import { eachLine, type ListFileItem, type ListFormat, listedEntry, skippedLine } from './list-format.ts';

/**
 * Filter list of Adblock Plus, uBlock Origin or AdGuard: `||host^` blocks a host and all below it, `||host/path` URLs
 * with this beginning on the host, `@@` in front allows them. Other rules are skipped, because any translation would be
 * a guess.
 */
export const adblockFormat: ListFormat = {
  name: 'adblock',
  recognises: (beginning) => beginning.some((line) => /^(?:\|\||@@|!|\[Adblock|[^\s/#]+#[@?$%]{0,3}#)/i.test(line)),
  read: eachLine(readRule),
};

/** `##` and its kin, between hosts and what is chosen on their pages. */
const COSMETIC = /^[^\s/#]*#[@?$%]{0,3}#/;

/** Options by which a rule still stands for all of a site: what a browser opens is blocked with the rest, or all the more. */
const WHOLE_SITE = new Set(['all', 'doc', 'document', 'important']);

/**
 * A rule that begins at a host: the scheme, where it is of that host alone, the host, a path, what may follow, and the options
 * behind a dollar sign.
 */
const HOST_RULE = /^\|(?:\||(https?:\/\/))([^^$|/]+)(\/[^^$|]*)?([\^|]*)(?:\$(.*))?$/;

function readRule(line: string, number: number): readonly ListFileItem[] {
  const rule = line.trim();
  if (rule === '' || /^(?:!|\[[^\]]*\]$|#+(?:\s|$))/.test(rule)) return [];
  const isException = rule.startsWith('@@');
  const [found, scheme, host = '', path, end = '', options] = HOST_RULE.exec(isException ? rule.slice(2) : rule) ?? [];
  const obstacle = unsupportedPart(rule, found !== undefined, options) ?? unsupportedEnd(path, end);
  if (obstacle !== null) return [skippedLine(number, `${quoted(rule)} ${obstacle}`)];
  // An entry for one host, or one of its ports, is written as all of its URLs.
  const isAlone = scheme !== undefined || /:\d+$/.test(host.replace(/^\[.*\]/, ''));
  const value = path === undefined && !isAlone ? host : `http://${host}${path ?? '/'}${end === '' ? '*' : ''}`;
  return [listedEntry(value, number, { isException })];
}

/** Returns the part of a rule that no entry can express, as the end of a sentence; null if there is none. */
function unsupportedPart(rule: string, isOfHost: boolean, options: string | undefined): string | null {
  if (COSMETIC.test(rule) || /\$\$|#@?\$#/.test(rule)) return 'is about parts of a page';
  if (/^(?:@@)?\/.*\/(?:\$|$)/.test(rule)) return 'is a regular expression';
  if (rule.includes('*')) return 'has a wildcard';
  if (!isOfHost) return 'is a part of a URL, not a host as in ||host^';
  const odd = options?.split(',').find((option) => !WHOLE_SITE.has(option.trim()));
  return odd === undefined ? null : `has the option ${quoted(odd)}`;
}

/** A `^` stands for the end of a host or a path; without it a path may go on in any way, and so may a name. */
function unsupportedEnd(path: string | undefined, end: string): string | null {
  if (end === '^' || end === '^|' || (end === '' && path !== undefined)) return null;
  return path === undefined
    ? 'has no ^ after the host, so it is also the beginning of other names'
    : 'ends in the middle of a URL';
}
