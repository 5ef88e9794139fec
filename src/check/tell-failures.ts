import type { Failure } from '#src/base/failure.ts';
import type { Logger } from '#src/base/logger.ts';
import type { Visibility } from '#src/base/visibility.ts';
import {
  HOST_PROBE_NAMES,
  type HostObservations,
  type Observations,
  type ProbeName,
} from '#src/probes/observations.ts';
import type { Observation } from '#src/probes/probe.ts';

/** A look that brought nothing, or a visit that was stopped on its way. */
interface Failed {
  readonly probe: ProbeName;
  /** Which host was looked at: the one that was asked for, or the one on which its redirects ended. */
  readonly at: 'target' | 'landing';
  readonly failure: Failure;
}

/**
 * Tells the operator of each look of a check that failed, and why. Such is the life of a check: at level `debug`. Of a
 * private one in codes alone, since the detail may name what was checked.
 */
export function tellFailures(
  logger: Pick<Logger, 'debug'>,
  { requestId, visibility }: { readonly requestId: string; readonly visibility: Visibility },
  observations: Observations,
): void {
  for (const { probe, at, failure } of failuresIn(observations)) {
    const { code, detail } = failure;
    const told = visibility === 'public' ? { code, detail } : { code };
    logger.debug('probe.failed', { request_id: requestId, probe, at, ...told });
  }
}

function failuresIn({ page, landing, ...target }: Observations): Failed[] {
  const ofHost = (at: Failed['at'], seen: HostObservations) =>
    HOST_PROBE_NAMES.map((probe) => ({ probe, at, failure: failureOf(seen[probe]) }));
  const stopped = page.state === 'observed' ? page.value.stopped : failureOf(page);
  const all = [
    ...ofHost('target', target),
    { probe: 'page', at: 'target', failure: stopped } as const,
    ...(landing ? ofHost('landing', landing) : []),
  ];
  return all.flatMap(({ failure, ...look }) => (failure ? [{ ...look, failure }] : []));
}

function failureOf(observation: Observation<unknown>): Failure | null {
  return observation.state === 'failed' ? observation.failure : null;
}
