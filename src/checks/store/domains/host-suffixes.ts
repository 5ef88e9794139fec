import { parseIp } from '#src/core/base/addresses/ip.ts';
import { cutHost, type Host, hostOf, parseHost, suffixStarts } from '#src/core/url/host.ts';

/** Maximum number of suffixes indexed per host, so that a host of a hundred labels costs no more than others. */
const MAX_SUFFIX_LABELS = 6;

/** Maximum number of index entries per check; the host itself is always indexed. */
export const MAX_INDEXED_NAMES = MAX_SUFFIX_LABELS + 1;

/**
 * Returns the host and its parent names under which a check is found: for `a.example.com` also `example.com` and `com`.
 */
export function indexedSuffixes(host: Pick<Host, 'text' | 'kind'>): string[] {
  return indexedStarts(host).map((start) => host.text.slice(start));
}

/** Returns the offset of each name of {@link indexedSuffixes} in the host, without allocating strings. */
export function indexedStarts(host: Pick<Host, 'text' | 'kind'>): number[] {
  const starts = suffixStarts(host);
  const tooMany = starts.length - 1 - MAX_SUFFIX_LABELS;
  if (tooMany > 0) starts.splice(1, tooMany);
  return starts;
}

/** Returns true if the hosts below a domain are found by it. No address ends in a domain: its last label is a number. */
export function isIndexedSuffix(domain: string): boolean {
  return domain.split('.').length <= MAX_SUFFIX_LABELS;
}

/** Normalizes a domain that a person typed to the form of the index; null if no host can end in it. */
export function domainKey(domain: string): string | null {
  const bare = domain.trim().replace(/^\*?\./, '');
  return /\s/.test(bare) ? null : (parseHost(bare)?.text ?? null);
}

/** Returns the host under which a blocked check is counted. */
export function countedHost(row: {
  readonly host: string | null;
  readonly decidingHost: string | null;
  readonly url: string;
}): Host {
  return hostOf(row.decidingHost ?? hostOfRow(row).text);
}

/** Returns the host of a row, as far as its suffixes depend on it. */
export function hostOfRow(row: { readonly host: string | null; readonly url: string }): Pick<Host, 'text' | 'kind'> {
  const text = row.host ?? cutHost(row.url);
  const family = parseIp(text)?.family;
  return { text, kind: family === undefined ? 'name' : `ipv${family}` };
}
