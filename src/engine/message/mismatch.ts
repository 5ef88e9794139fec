import { LINK_PROTECTORS } from '#src/core/knowledge/hosts/link-protectors.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { hostsNamedIn } from './bare-host.ts';

/** Words that name one site in front of a link to another, the trick of most phishing mails. */
export interface Mismatch {
  /** Host that the words name. */
  readonly says: string;
  /** Host of the link; for a link protector, that of the protected link. */
  readonly goesTo: string;
}

/** Returns the host in the words of a link to another site; null if they name none, or that of the link. */
export function mismatchOf(words: string, url: string): Mismatch | null {
  const goesTo = destinationOf(url);
  const [says] = goesTo === null ? [] : hostsNamedIn(words);
  if (goesTo === null || says === undefined) return null;
  return hostsNamedIn(words).some((host) => isSameSite(host, goesTo)) ? null : { says, goesTo };
}

function destinationOf(url: string): string | null {
  const outer = readUrl(url);
  if (outer === null) return null;
  if (!isProtector(outer.hostname)) return outer.hostname;
  const rest = decoded(`${outer.pathname}${outer.search}`);
  const inner = /https?:(?:\/\/|__)([^/_?#;&\s]{1,253})/i.exec(rest)?.[1];
  return inner === undefined ? outer.hostname : (readUrl(`http://${inner}/`)?.hostname ?? outer.hostname);
}

const isProtector = (host: string): boolean => LINK_PROTECTORS.some((name) => `.${host}`.endsWith(`.${name}`));

/** Decodes percent-encoding, and that of Proofpoint, which uses hyphens instead and underscores for slashes. */
function decoded(text: string): string {
  return text
    .replace(/(https?)-3A__/gi, '$1://')
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/%3a/gi, ':')
    .replace(/%2f/gi, '/');
}

/**
 * Returns true if two hosts likely have one owner. Under a suffix such as `co.uk`, two common labels are not enough;
 * the table of suffixes would be as large as the rest of the page.
 */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [labelsOf(one), labelsOf(other)];
  const common = commonEnding(a, b);
  if (common.length === Math.min(a.length, b.length)) return common.length > 1 || a.length === b.length;
  const [owner = '', suffix = ''] = common;
  return common.length > 2 || (common.length === 2 && (suffix.length > 2 || owner.length > 3));
}

const labelsOf = (host: string): string[] => host.replace(/^www\./, '').split('.');

function commonEnding(a: readonly string[], b: readonly string[]): string[] {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count === 0 ? [] : a.slice(-count);
}
