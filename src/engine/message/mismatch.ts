import { LINK_PROTECTORS } from '#src/core/knowledge/hosts/link-protectors.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { hostsNamedIn } from './bare-host.ts';

/** The trick of most phishing mails: words that name one site, in front of a link to another. */
export interface Mismatch {
  /** The host that the words name. */
  readonly says: string;
  /** The host to which the link leads; within a link protector, the one behind it. */
  readonly goesTo: string;
}

/** What a link's words name that is not where it leads; null where they name nothing, or that very site. */
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

/** Percent-encoding, and that of Proofpoint, which has hyphens in its place and underscores for slashes. */
function decoded(text: string): string {
  return text
    .replace(/(https?)-3A__/gi, '$1://')
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/%3a/gi, ':')
    .replace(/%2f/gi, '/');
}

/**
 * Whether two hosts are likely run by the same people. Where a registry gives names away at the third label (`co.uk`),
 * two labels in common say nothing; the table of all such suffixes would weigh as much as the rest of the page.
 */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [one, other].map((host) => host.replace(/^www\./, '').split('.'));
  if (a === undefined || b === undefined) return false;
  const common = commonEnding(a, b);
  if (common.length === Math.min(a.length, b.length)) return common.length > 1 || a.length === b.length;
  const [owner = '', suffix = ''] = common.slice(-2);
  return common.length > 2 || (common.length === 2 && (suffix.length > 2 || owner.length > 3));
}

function commonEnding(a: readonly string[], b: readonly string[]): string[] {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count === 0 ? [] : a.slice(-count);
}
