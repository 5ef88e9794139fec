import { parseIp } from '#src/core/base/addresses/ip.ts';
import { cutHost } from '#src/core/url/cut-host.ts';
import { type Host, hostOf, parseHost, suffixStarts } from '#src/core/url/host.ts';

/** Deeper suffixes than this are not indexed, so that a host of a hundred labels costs no more than others. */
const MAX_SUFFIX_LABELS = 6;

/** The host itself is always indexed. */
export const MAX_INDEXED_NAMES = MAX_SUFFIX_LABELS + 1;

/** The host, and the names above it under which it can be found: of `a.example.com` also `example.com` and `com`. */
export function indexedSuffixes(host: Pick<Host, 'text' | 'kind'>): string[] {
  return indexedStarts(host).map((start) => host.text.slice(start));
}

/** Where in the host each name of {@link indexedSuffixes} begins: who only hashes them needs no text of each. */
export function indexedStarts(host: Pick<Host, 'text' | 'kind'>): number[] {
  const starts = suffixStarts(host);
  const tooMany = starts.length - 1 - MAX_SUFFIX_LABELS;
  if (tooMany > 0) starts.splice(1, tooMany);
  return starts;
}

/** A domain as a person writes it, in the form in which suffixes are kept; null where no host can end in it. */
export function domainKey(domain: string): string | null {
  const bare = domain.trim().replace(/^\*?\./, '');
  return /\s/.test(bare) ? null : (parseHost(bare)?.text ?? null);
}

/** The host under which a check is counted if it was blocked. */
export function countedHost(row: {
  readonly host: string | null;
  readonly decidingHost: string | null;
  readonly url: string;
}): Host {
  return hostOf(row.decidingHost ?? hostOfRow(row).text);
}

/** What a row has of the host of its check, as far as its suffixes depend on it. */
export function hostOfRow(row: { readonly host: string | null; readonly url: string }): Pick<Host, 'text' | 'kind'> {
  const text = row.host ?? cutHost(row.url);
  const family = parseIp(text)?.family;
  return { text, kind: family === undefined ? 'name' : `ipv${family}` };
}
