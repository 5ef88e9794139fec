import { type CheckRecord, recordCheck } from '#src/checks/record/check-record.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { GateMark, Via } from '#src/checks/record/decided-by.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { type Failure, FailureError } from '#src/core/base/failure.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type OnStep, traceTo, UNTRACED } from '#src/core/base/traced.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import {
  type CampaignSightings,
  HOST_PROBE_NAMES,
  type HostObservations,
  type Observation,
  type Observations,
  type ProbeName,
} from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { ProbeHooks } from '#src/network/probes/run.ts';

const NO_SUCH_NAME: Failure = new FailureError('dns_nxdomain').failure;

/**
 * Removes from observations what would reveal the internal network to anyone but the operator. A name that resolves to
 * a denied address looks like one that does not exist, and so does a name without an address, such as an alias. A
 * denied address literal in the URL stays, because no DNS query is needed to know it; a name with both public and
 * internal addresses counts as public.
 */
export function hideInternalAddresses(observations: Observations): Observations {
  const { page, landing } = observations;
  return {
    ...observations,
    ...hideInHost(observations),
    page: page.state === 'observed' ? { ...page, value: hideInVisit(page.value) } : hideInObservation(page),
    landing: landing && { host: landing.host, ...hideInHost(landing) },
  };
}

function hideInHost(seen: HostObservations): HostObservations {
  return {
    dns: hideInDns(seen.dns),
    registration: hideInObservation(seen.registration),
    certificate: hideInObservation(seen.certificate),
  };
}

function hideInDns(dns: HostObservations['dns']): HostObservations['dns'] {
  if (dns.state !== 'observed') return hideInObservation(dns);
  const { a, aaaa, cname, unanswered } = dns.value;
  const mayHaveAddress = cname.length === 0 && unanswered.some((question) => question === 'A' || question === 'AAAA');
  const isNowhere = a.length + aaaa.length === 0 && !mayHaveAddress;
  return isNowhere ? { state: 'failed', failure: NO_SUCH_NAME, elapsedMs: dns.elapsedMs } : dns;
}

/** Hides a denied name that a visit was redirected to. */
function hideInVisit(visit: PageVisit): PageVisit {
  return visit.stopped ? { ...visit, stopped: hideInFailure(visit.stopped) } : visit;
}

function hideInObservation<T>(observation: Observation<T>): Observation<T> {
  return observation.state === 'failed' ? { ...observation, failure: hideInFailure(observation.failure) } : observation;
}

function hideInFailure(failure: Failure): Failure {
  return failure.code === 'egress_denied_name' ? NO_SUCH_NAME : failure;
}

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
  readonly via: Via;
  /**
   * False if nothing may be looked up about the target; `host` if only its host may be: DNS, registration and, for https,
   * the certificate, but never the URL.
   */
  readonly visit?: boolean | 'host';
  /** Window in which a browser takes a picture of the page whether or not it needs to visit it. */
  readonly screenshot?: 'desktop' | 'phone' | undefined;
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
  /** Present if the gate held the request, or would have; part of the record. */
  readonly gate?: GateMark;
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
export type ObservedCheck = Pick<CheckRequest, 'target' | 'visibility' | 'visit' | 'screenshot' | 'client'>;

/** Classified observations and their assessment. */
export interface ClassifiedCheck {
  readonly observations: Observations;
  readonly assessment: Assessment;
}

/** Campaign detection over public checks. Private checks neither contribute nor read. */
export interface CampaignMemory {
  /** Returns earlier sightings of the target's features on other sites. */
  sightingsOf(target: Target, observations: Observations): CampaignSightings;
  /** Adds a logged public check; `client` is the rate limiter's key. */
  learn(target: Target, classified: ClassifiedCheck, client: string): void;
}

/** Parts of a check service; the command line omits some. */
export interface CheckParts {
  observe(check: ObservedCheck, watch: ProbeHooks): Promise<Observations>;
  /** Classifies observations. Returns those that were classified: a page that took too long is left out. */
  classify(target: Target, observations: Observations, visibility: Visibility): Promise<ClassifiedCheck>;
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
      const { target, visibility, client, requestId, startedAtMs } = request;
      const { run, watch, stagesMs, elapsedMs } = runStages(request, clock);
      const observed = await run('observe', () => request.observe?.(watch) ?? observe(request, watch));
      const memory = visibility === 'public' && client !== null ? campaigns : null;
      const input = classifierInput(observed, request, memory);
      const classified = await run('assess', () => classify(target, input, visibility));
      const { observations, assessment } = classified;
      // A page whose classification timed out counts as failed.
      const page = observations.page === input.page ? observed.page : observations.page;
      const probed = { ...observed, page };
      logFailures(logger, request, probed);
      onProbed?.(probed);
      request.onObserved?.(observations);
      const finished = {
        requestId,
        startedAtMs,
        elapsedMs: elapsedMs(),
        stagesMs: { ...stagesMs },
        target,
        ...classified,
        via: request.via,
        gate: request.gate,
      };
      // Checks of one turn of the event loop take each stage together, while its code and tables are in the processor's caches.
      await undefined;
      const result = describeCheck(finished);
      await undefined;
      const { answer, record } = recordCheck({
        ...{ visibility, result, client, host: target.host },
        ...(assessment.decidingHost !== target.host.text && { decidingHost: hostOf(assessment.decidingHost) }),
      });
      await run('log', () => store(record, request.left));
      if (memory && client !== null) memory.learn(target, classified, client);
      return answer;
    },
  };
}

/** Runs the stages of a check one after the other, times them, and reports them to the client and to a trace. */
function runStages({ onStage, onStep }: Pick<CheckRequest, 'onStage' | 'onStep'>, clock: Clock) {
  const traced = onStep ? traceTo(onStep, clock) : UNTRACED;
  const startMs = clock.monotonicMs();
  const stagesMs = { observe: 0, assess: 0, log: 0 };
  const report = (stage: string, state: CheckStage['state'], nowMs: number) =>
    onStage?.({ stage, state, elapsed_seconds: (nowMs - startMs) / 1000 });
  const onProbe = onStage && ((probe: string) => report(probe, 'finished', clock.monotonicMs()));
  return {
    stagesMs,
    elapsedMs: () => clock.monotonicMs() - startMs,
    watch: { onProbe, traced },
    async run<T>(stage: keyof typeof stagesMs, work: () => Promise<T>): Promise<T> {
      const beganMs = clock.monotonicMs();
      report(stage, 'started', beganMs);
      const value = await traced('stage', stage, work);
      const endedMs = clock.monotonicMs();
      stagesMs[stage] = endedMs - beganMs;
      report(stage, 'finished', endedMs);
      return value;
    },
  };
}

/**
 * Returns the observations that are classified: without internal addresses unless the operator checks, and with campaign
 * sightings, so that re-scoring the record gives the same result.
 */
function classifierInput(
  observed: Observations,
  { target, client }: Pick<CheckRequest, 'target' | 'client'>,
  memory: CampaignMemory | null,
): Observations {
  const visible = client === null ? observed : hideInternalAddresses(observed);
  if (!memory) return visible;
  return { ...visible, campaign: { state: 'observed', value: memory.sightingsOf(target, visible), elapsedMs: 0 } };
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
