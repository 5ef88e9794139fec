/** Whether a host with all that is under it, or the front page of one, covers a domain; `www.` in front says nothing. */
export function coversDomain(entry: string, domain: string): boolean {
  const host = entry.replace(/^https?:\/\/([^/?#]*)\/?$/, '$1').replace(/^www\./, '');
  return host === domain || domain.endsWith(`.${host}`);
}
