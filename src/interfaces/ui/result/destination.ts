import type { AnalysisDetails } from '#src/checks/record/check-result.ts';

/** Where a link leads in the end: by redirects, or within a link protector; null where it is the link itself. */
export function destinationOf({ final_url, redirects, unwrapped_urls, host_parts }: AnalysisDetails): string | null {
  const end =
    redirects.some(({ followed }) => followed) && final_url !== null ? final_url : (unwrapped_urls.at(-1) ?? null);
  return end === null || hostIn(end) === host_parts.ascii ? null : end;
}

/** What the last answer pointed to, and the service did not visit; null where it went all the way. */
export function notFollowed({ final_url, redirects }: Pick<AnalysisDetails, 'final_url' | 'redirects'>): string | null {
  const last = redirects.findLast(({ status }) => status !== null);
  return last && last.url === final_url && last.location !== final_url ? last.location : null;
}

/** The host of a URL, as it is spelt there; empty where there is none. */
export function hostIn(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}
