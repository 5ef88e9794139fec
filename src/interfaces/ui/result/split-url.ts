/** A canonical URL cut around the name of its site; without one, everything is `before`. */
export function splitUrl(url: string, site: string): { before: string; owner: string; after: string } {
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const host = authority.replace(/:\d*$/, '');
  // The site ends the host, so the last occurrence is it; a look-alike further left stays part of the subdomain.
  const start = site === '' ? -1 : host.lastIndexOf(site);
  if (start < 0) return { before: url, owner: '', after: '' };
  return { before: url.slice(0, start), owner: site, after: url.slice(start + site.length) };
}
