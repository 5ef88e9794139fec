import type { Visibility } from '#src/base/visibility.ts';
import type { CheckResult } from './check-result.ts';

/** One finished check on its way into a log. */
export interface CheckRecord {
  readonly visibility: Visibility;
  readonly result: CheckResult;
  /** Host of the canonical URL, for the filter by domain. */
  readonly host: string;
  /** Who asked: the limiter's key for the client. Kept as a keyed hash, in the private log alone. Null for the command line. */
  readonly client: string | null;
}
