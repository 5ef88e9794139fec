import { type LinkWrapper, mailWrapperOf } from '#src/core/knowledge/hosts/forwarding/wrapper-table.ts';
import { inWrapper } from '#src/core/unwrap/in-wrapper.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { hostsNamedIn, isBareAddress } from './text/hosts-in-text.ts';

/** Words that name one site in front of a link to another, the trick of most phishing mails. */
export interface Mismatch {
  /** Host that the words name. */
  readonly says: string;
  /** Host of the link; behind link protection, a click tracker or a redirector, that of the innermost link. */
  readonly goesTo: string;
}

/** Words that name a site in front of a link of which only a service knows where it leads. */
export interface Detour {
  /** Host that the words name. */
  readonly says: string;
  /** Name of the service that hides the target. */
  readonly through: string;
  /** `tracker`: the sender's mail service; `protector`: the receiver's link protection. */
  readonly kind: LinkWrapper['kind'];
}

/** Claim of the words of a link that the link does not meet. */
export interface WordsAgainstLink {
  /** Null if the words name no host, or that of the link. */
  readonly mismatch: Mismatch | null;
  /** Null if the words name no host, or the target is known. */
  readonly detour: Detour | null;
}

/** Compares the words of a link with its URL. */
export type CompareWords = (words: string, url: string) => WordsAgainstLink;

const NO_CONTRADICTION: WordsAgainstLink = { mismatch: null, detour: null };

/** Compares the hosts in the words of a link with that of its innermost target. */
export function compareWords(words: string, url: string): WordsAgainstLink {
  const named = hostsNamedIn(words);
  const outer = named.length === 0 ? null : readUrl(url);
  const [says] = named;
  if (outer === null || says === undefined) return NO_CONTRADICTION;
  const { host, hiddenBy } = destinationOf(outer);
  if (named.some((one) => isSameSite(one, host))) return NO_CONTRADICTION;
  if (hiddenBy === null) return { mismatch: { says, goesTo: host }, detour: null };
  return { mismatch: null, detour: { says, through: hiddenBy.service, kind: hiddenBy.kind } };
}

/** Returns the host in the words of a link to another site; null if they name none, or that of the link. */
export function mismatchOf(words: string, url: string): Mismatch | null {
  return compareWords(words, url).mismatch;
}

/** Maximum number of services, one around the other, that are looked through. */
const MAX_DEPTH = 5;

interface Destination {
  readonly host: string;
  /** The service that alone knows the rest of the way; null if there is none. */
  readonly hiddenBy: LinkWrapper | null;
}

function destinationOf(outer: URL): Destination {
  let url = outer;
  for (let depth = 0; ; depth++) {
    const wrapper = mailWrapperOf(url.hostname, url.pathname);
    const inner = wrapper === null || depth === MAX_DEPTH ? null : innerUrl(url, wrapper);
    if (inner === null) {
      return { host: url.hostname, hiddenBy: wrapper === null || wrapper.kind === 'redirector' ? null : wrapper };
    }
    url = inner;
  }
}

function innerUrl({ href, hostname, pathname, search, hash }: URL, wrapper: LinkWrapper): URL | null {
  const link = { url: href, host: hostname, path: pathname, query: search.slice(1), fragment: hash.slice(1) };
  const { urls, bare } = inWrapper(link, wrapper);
  const named = bare.filter((text) => isBareAddress(text.slice('http://'.length)));
  return [...urls, ...named].reduce<URL | null>((found, text) => found ?? webUrl(text), null);
}

function webUrl(text: string): URL | null {
  const url = readUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
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
