import { type CheckRecord, recordCheck } from '#src/checks/record/check-record.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Failure } from '#src/core/base/failure.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type OnStep, traceTo, UNTRACED } from '#src/core/base/traced.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Assessment } from '#src/engine/fusion/assessment.ts';
import type { CampaignSightings } from '#src/network/probes/campaign-sightings.ts';
import { HOST_PROBE_NAMES, type Observations, type ProbeName } from '#src/network/probes/observations.ts';
import type { Observation } from '#src/network/probes/probe.ts';
import type { ProbeHooks } from '#src/network/probes/run.ts';
import { hideInternalAddresses } from './hide-internal-addresses.ts';

/** Start or end of a stage of a check. */
export interface CheckStage {
  /** `observe` as a whole and each probe in it (`dns`, `page`, …), then `assess` and `log`. */
  readonly stage: string;
  readonly state: 'started' | 'finished';
  /** Seconds since the check began. */
  readonly elapsed_seconds: number;
}

/** One admitted request to check a URL. */
export interface CheckRequest {
  readonly target: Target;
  readonly visibility: Visibility;
  /** False if nothing may be probed up about the target. */
  readonly visit?: boolean;
  /**
   * Rate limiter's key for the client; null for the command line, which alone sees names that resolve to internal
   * addresses.
   */
  readonly client: string | null;
  /** UUIDv7 of the request. */
  readonly requestId: string;
  /** Milliseconds since the Unix epoch at which the request began. */
  readonly startedAtMs: number;
  /** Aborted if the client disconnects before the answer is written. The check continues, and its record notes it. */
  readonly left?: AbortSignal;
  /** Called when a stage starts or finishes; used by the event stream. */
  readonly onStage?: (stage: CheckStage) => void;
  /** Called for each step of a trace, for the operator. */
  readonly onStep?: OnStep | undefined;
  /** Replaces the service's probes, for a page that was saved earlier. */
  readonly observe?: (watch: ProbeHooks) => Promise<Observations>;
  /** Called with the observations that were classified. */
  readonly onObserved?: (observations: Observations) => void;
}

/** Runs checks: observe, assess, log. */
export interface CheckService {
  /**
   * Resolves after the record is committed.
   *
   * @throws UnavailableError `overloaded` if too many checks are queued, `log_unavailable` if the record cannot be
   * stored
   */
  check(request: CheckRequest): Promise<CheckResult>;
}

/** Properties of a check that probes need. */
export type ObservedCheck = Pick<CheckRequest, 'target' | 'visibility' | 'visit' | 'client'>;

/** Classified observations and their assessment. */
export interface ClassifiedCheck {
  readonly observations: Observations;
  readonly assessment: Assessment;
}

/** Campaign detection over public checks. Private checks neither contribute nor read. */
export interface CampaignMemory {
  /** Returns earlier sightings of the target's features on other sites. */
  look(target: Target, seen: Observations): CampaignSightings;
  /** Adds a logged public check; `client` is the rate limiter's key. */
  learn(target: Target, classified: ClassifiedCheck, client: string): void;
}

/** Parts of a check service; the command line omits some. */
export interface CheckParts {
  observe(check: ObservedCheck, watch: ProbeHooks): Promise<Observations>;
  /** Classifies observations. Returns those that were classified: a page that took too long is left out. */
  classify(target: Target, seen: Observations): Promise<ClassifiedCheck>;
  /**
   * Logs a check; resolves once its record is on disk. The record is marked undelivered if `left` is aborted, even
   * later.
   */
  store(record: CheckRecord, left?: AbortSignal): Promise<void>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'debug'>;
  /** Called with the observations of each check, failures included. */
  readonly onProbed?: ((observations: Observations) => void) | undefined;
  /** Null if campaign detection is disabled. */
  readonly campaigns?: CampaignMemory | null;
}

/** Creates a check service. */
export function createCheckService(parts: CheckParts): CheckService {
  const { observe, classify, store, clock, logger, onProbed, campaigns = null } = parts;
  return {
    async check(request) {
      const { target, visibility, client, requestId, startedAtMs, onStage, onStep } = request;
      const traced = onStep ? traceTo(onStep, clock) : UNTRACED;
      const start = clock.monotonicMs();
      const stagesMs = { observe: 0, assess: 0, log: 0 };
      const timed = async <T>(stage: keyof typeof stagesMs, run: () => Promise<T>): Promise<T> => {
        const began = clock.monotonicMs();
        onStage?.({ stage, state: 'started', elapsed_seconds: (began - start) / 1000 });
        const value = await traced('stage', stage, run);
        const ended = clock.monotonicMs();
        stagesMs[stage] = ended - began;
        onStage?.({ stage, state: 'finished', elapsed_seconds: (ended - start) / 1000 });
        return value;
      };
      const onProbe =
        onStage &&
        ((stage: string) =>
          onStage({ stage, state: 'finished', elapsed_seconds: (clock.monotonicMs() - start) / 1000 }));
      const watch = { onProbe, traced };
      const seen = await timed('observe', () => request.observe?.(watch) ?? observe(request, watch));
      const visible = client === null ? seen : hideInternalAddresses(seen);
      const memory = visibility === 'public' && client !== null ? campaigns : null;
      const known = memory ? withCampaign(visible, memory.look(target, visible)) : visible;
      const { observations, assessment } = await timed('assess', () => classify(target, known));
      // A page whose classification timed out counts as failed.
      const page = observations.page === known.page ? seen.page : observations.page;
      const probed = { ...seen, page };
      logFailures(logger, request, probed);
      onProbed?.(probed);
      request.onObserved?.(observations);
      const elapsedMs = clock.monotonicMs() - start;
      const finished = {
        requestId,
        startedAtMs,
        elapsedMs,
        stagesMs: { ...stagesMs },
        target,
        observations,
        assessment,
      };
      // Checks of one turn of the event loop take each stage together, while its code and tables are in the processor's caches.
      await undefined;
      const result = describeCheck(finished);
      await undefined;
      const { answer, record } = recordCheck({
        ...{ visibility, result, client, host: target.host },
        ...(assessment.decidingHost !== target.host.text && { decidingHost: hostOf(assessment.decidingHost) }),
      });
      await timed('log', () => store(record, request.left));
      if (memory && client !== null) memory.learn(target, { observations, assessment }, client);
      return answer;
    },
  };
}

/** Adds campaign sightings to the observations, so that re-scoring the record gives the same result. */
function withCampaign(seen: Observations, value: CampaignSightings): Observations {
  return { ...seen, campaign: { state: 'observed', value, elapsedMs: 0 } };
}

/** Probed host: the target, or the landing site of its redirects. */
type ProbedHost = 'target' | 'landing';

/**
 * Logs each failed probe of a check at level `debug`. For private checks it logs the code without the detail, which may
 * name the target.
 */
export function logFailures(
  logger: Pick<Logger, 'debug'>,
  { requestId, visibility }: { readonly requestId: string; readonly visibility: Visibility },
  { page, landing, ...target }: Observations,
): void {
  const log = (probe: ProbeName, at: ProbedHost, failure: Failure | null) => {
    if (failure === null) return;
    const { code, detail } = failure;
    const visible = visibility === 'public' ? { code, detail } : { code };
    logger.debug('probe.failed', { request_id: requestId, probe, at, ...visible });
  };
  for (const probe of HOST_PROBE_NAMES) log(probe, 'target', failureOf(target[probe]));
  log('page', 'target', page.state === 'observed' ? page.value.stopped : failureOf(page));
  if (landing) for (const probe of HOST_PROBE_NAMES) log(probe, 'landing', failureOf(landing[probe]));
}

function failureOf(observation: Observation<unknown>): Failure | null {
  return observation.state === 'failed' ? observation.failure : null;
}
