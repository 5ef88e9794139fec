import { formatIp, parseIp } from '#src/base/ip.ts';

/** Deeper suffixes than this are not indexed, so that a host of a hundred labels costs no more than others. */
export const MAX_SUFFIX_LABELS = 6;

/** The host, and every suffix of it that begins at a label: `a.example.com` gives itself, `example.com`, `com`. */
export function hostSuffixes(host: string): string[] {
  const suffixes = [host];
  if (parseIp(host)) return suffixes;
  const labels = host.split('.');
  for (let count = Math.min(MAX_SUFFIX_LABELS, labels.length - 1); count > 0; count--) {
    suffixes.push(labels.slice(-count).join('.'));
  }
  return suffixes;
}

/** A domain as a person writes it, in the form in which suffixes are kept; null where no host can end in it. */
export function domainKey(domain: string): string | null {
  const bare = domain.trim().replace(/^\*?\./, '');
  const address = parseIp(bare.replace(/^\[|\]$/g, ''));
  if (address) return formatIp(address);
  if (bare === '' || /[/?#@\\\s:]/.test(bare)) return null;
  const host = URL.parse(`http://${bare}/`)?.hostname.replace(/\.$/, '');
  return host ? host : null;
}
