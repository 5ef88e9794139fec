import type { Failure } from '#src/core/base/failure.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { HOST_PROBE_NAMES, type Observations, type ProbeName } from '#src/network/probes/observations.ts';
import type { Observation } from '#src/network/probes/probe.ts';

/** Which host was looked at: the one that was asked for, or the one on which its redirects ended. */
type SeenHost = 'target' | 'landing';

/**
 * Tells the operator of each look of a check that failed, and why. Such is the life of a check: at level `debug`. Of a
 * private one in codes alone, since the detail may name what was checked.
 */
export function tellFailures(
  logger: Pick<Logger, 'debug'>,
  { requestId, visibility }: { readonly requestId: string; readonly visibility: Visibility },
  { page, landing, ...target }: Observations,
): void {
  const tell = (probe: ProbeName, at: SeenHost, failure: Failure | null) => {
    if (failure === null) return;
    const { code, detail } = failure;
    const told = visibility === 'public' ? { code, detail } : { code };
    logger.debug('probe.failed', { request_id: requestId, probe, at, ...told });
  };
  for (const probe of HOST_PROBE_NAMES) tell(probe, 'target', failureOf(target[probe]));
  tell('page', 'target', page.state === 'observed' ? page.value.stopped : failureOf(page));
  if (landing) for (const probe of HOST_PROBE_NAMES) tell(probe, 'landing', failureOf(landing[probe]));
}

function failureOf(observation: Observation<unknown>): Failure | null {
  return observation.state === 'failed' ? observation.failure : null;
}
