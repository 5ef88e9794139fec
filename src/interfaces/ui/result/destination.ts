import type { AnalysisDetails } from '#src/checks/record/check-result.ts';

/** Returns the final destination of a link, after redirects or link wrappers; null if it is the link itself. */
export function destinationOf({ final_url, redirects, unwrapped_urls, host_parts }: AnalysisDetails): string | null {
  const end =
    redirects.some(({ followed }) => followed) && final_url !== null ? final_url : (unwrapped_urls.at(-1) ?? null);
  return end === null || hostIn(end) === host_parts.ascii ? null : end;
}

/** Returns the target of the last response if the service did not visit it; null if it followed all redirects. */
export function notFollowed({ final_url, redirects }: Pick<AnalysisDetails, 'final_url' | 'redirects'>): string | null {
  const last = redirects.findLast(({ status }) => status !== null);
  return last && last.url === final_url && last.location !== final_url ? last.location : null;
}

/** Returns the host of a URL as written; empty if it has none. */
export function hostIn(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

/** A canonical URL cut around the name of its site; without one, everything is `before`. */
export function splitUrl(url: string, site: string): { before: string; owner: string; after: string } {
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const host = authority.replace(/:\d*$/, '');
  // The site ends the host, so the last occurrence is it; a look-alike further left stays part of the subdomain.
  const start = site === '' ? -1 : host.lastIndexOf(site);
  if (start < 0) return { before: url, owner: '', after: '' };
  return { before: url.slice(0, start), owner: site, after: url.slice(start + site.length) };
}
