import type { Visibility } from '#src/record/check-record.ts';
import type { CheckResult } from '#src/record/check-result.ts';
import type { Target } from '#src/url/target.ts';

/** One admitted request to check a URL. */
export interface CheckRequest {
  readonly target: Target;
  readonly visibility: Visibility;
  /** The limiter's key for the client; null for the command line. */
  readonly client: string | null;
  /** UUIDv7 of the request. */
  readonly requestId: string;
  /** Milliseconds since the Unix epoch at which the request began. */
  readonly startedAtMs: number;
}

/** The whole of one check: observe, assess, log. */
export interface CheckService {
  /**
   * Answers only after the record is committed.
   *
   * @throws UnavailableError `overloaded` where too many checks wait already, `log_unavailable` where the record could
   * not be kept.
   */
  check(request: CheckRequest): Promise<CheckResult>;
}
