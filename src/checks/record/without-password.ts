import type { CheckResult } from './check-result.ts';

/** What stands in an answer where a password stood. */
const MASK = '***';

/**
 * The result as it may be shown, copied and saved. The answer's `url` is the string as it was sent, a password in it
 * included; the canonical form stands in its place where the service masked something there, or where it does not tell:
 * it leaves the fragment out, and ends early in a URL that is far too long.
 */
export function withoutPassword(result: CheckResult): CheckResult {
  const { normalized_url, truncated } = result.analysis_details;
  const hash = URL.parse(result.url)?.hash ?? '';
  const isClean = !normalized_url.includes(MASK) && !/[=:@%]/.test(hash) && truncated === undefined;
  return isClean ? result : { ...result, url: normalized_url };
}
