import { type Host, parseHost, suffixesOf } from '#src/url/host.ts';

/** Deeper suffixes than this are not indexed, so that a host of a hundred labels costs no more than others. */
const MAX_SUFFIX_LABELS = 6;

/** The host, and the names above it under which it can be found: of `a.example.com` also `example.com` and `com`. */
export function indexedSuffixes(host: Host): string[] {
  const [whole = '', ...above] = suffixesOf(host);
  return [whole, ...above.slice(-MAX_SUFFIX_LABELS)];
}

/** A domain as a person writes it, in the form in which suffixes are kept; null where no host can end in it. */
export function domainKey(domain: string): string | null {
  const bare = domain.trim().replace(/^\*?\./, '');
  return /\s/.test(bare) ? null : (parseHost(bare)?.text ?? null);
}
