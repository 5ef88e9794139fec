import type { Readiness } from '#src/server/health-routes.ts';
import type { ScanLog } from '#src/store/scan-log.ts';

/** What everybody may know of a limiter that cannot be reached. */
const LIMITER_AWAY = 'The limiter that the nodes share is away: this one counts its clients alone.';

/** What says whether a service takes checks. */
export interface ReadinessSources {
  readonly log: Pick<ScanLog, 'health'>;
  /** Aborted once it shuts down. */
  readonly stopping: AbortSignal;
  /** Null where no limiter is shared. */
  readonly isLimiterAway: () => boolean | null;
}

/** Whether checks can be taken now. */
export async function readinessOf({ log, stopping, isLimiterAway }: ReadinessSources): Promise<Readiness> {
  if (stopping.aborted) return { problem: { code: 'stopping', detail: 'The service is shutting down.' }, notices: [] };
  const { problem, notices } = await log.health();
  return {
    problem: problem === null ? null : { code: 'log_unavailable', detail: problem },
    notices: isLimiterAway() === true ? [...notices, LIMITER_AWAY] : notices,
  };
}
