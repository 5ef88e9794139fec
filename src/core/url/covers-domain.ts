/**
 * Returns true if a host with all its subdomains, or the front page of a host, covers a domain; `www.` in front is
 * ignored.
 */
export function coversDomain(entry: string, domain: string): boolean {
  const host = entry.replace(/^https?:\/\/([^/?#]*)\/?$/, '$1').replace(/^www\./, '');
  return host === domain || domain.endsWith(`.${host}`);
}
