import type { Visibility } from '#src/base/visibility.ts';
import type { Host } from '#src/url/host.ts';
import type { CheckResult } from './check-result.ts';

/** One finished check on its way into a log. */
export interface CheckRecord {
  readonly visibility: Visibility;
  readonly result: CheckResult;
  /** Of the canonical URL, for the filter by domain and the counts of what was blocked. */
  readonly host: Host;
  /** Who asked: the limiter's key for the client. Kept as a keyed hash, in the private log alone. Null for the command line. */
  readonly client: string | null;
}
