import type { Clock } from '#src/base/clock.ts';
import type { Assessment } from '#src/fusion/assessment.ts';
import type { Observations } from '#src/probes/observations.ts';
import type { CheckRecord, Visibility } from '#src/record/check-record.ts';
import type { CheckResult } from '#src/record/check-result.ts';
import { describeCheck } from '#src/record/describe-check.ts';
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
   *   not be kept.
   */
  check(request: CheckRequest): Promise<CheckResult>;
}

/** What a check is made of; each part is passed in, so that the command line can leave some out. */
export interface CheckParts {
  observe(target: Target, visibility: Visibility): Promise<Observations>;
  assess(target: Target, observations: Observations): Assessment;
  /** Resolves once the record is on disk. */
  append(record: CheckRecord): Promise<void>;
  /** Told of each check that was logged. */
  report(record: CheckRecord): void;
  readonly clock: Clock;
}

/** Puts the parts together. */
export function createCheckService({ observe, assess, append, report, clock }: CheckParts): CheckService {
  return {
    async check({ target, visibility, client, requestId, startedAtMs }) {
      const start = clock.monotonicMs();
      const observations = await observe(target, visibility);
      const observed = clock.monotonicMs();
      const assessment = assess(target, observations);
      const assessed = clock.monotonicMs();
      const result = describeCheck({
        requestId,
        startedAtMs,
        elapsedMs: assessed - start,
        stagesMs: { observe: observed - start, assess: assessed - observed },
        target,
        observations,
        assessment,
      });
      const record = { visibility, result, host: target.host, client };
      await append(record);
      report(record);
      return result;
    },
  };
}
