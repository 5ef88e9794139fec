import type { CheckResult } from './check-result.ts';

/** Mask of a password in answers. */
const MASK = '***';

/**
 * Returns the result for display, copying and saving. The answer's `url` is the submitted string, with any password.
 * The canonical form replaces it if the service masked something there, or if that form is inconclusive: it has no
 * fragment, and is truncated for a very long URL.
 */
export function withoutPassword(result: CheckResult): CheckResult {
  const { normalized_url, truncated } = result.analysis_details;
  const hash = URL.parse(result.url)?.hash ?? '';
  const isClean = !normalized_url.includes(MASK) && !/[=:@%]/.test(hash) && truncated === undefined;
  return isClean ? result : { ...result, url: normalized_url };
}
