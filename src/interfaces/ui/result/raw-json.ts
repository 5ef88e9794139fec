import type { CheckResult } from '#src/checks/record/check-result.ts';
import { visibleJson } from '#src/core/base/text/untrusted-text.ts';

/** The answer as JSON for people, in which nothing is hidden. */
export function rawJson(result: CheckResult): string {
  return visibleJson(JSON.stringify(result, null, 2));
}
