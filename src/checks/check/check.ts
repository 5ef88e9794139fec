import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type OnStep, traceTo, UNTRACED } from '#src/core/base/traced.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { Assessment } from '#src/engine/fusion/assessment.ts';
import type { CampaignSightings } from '#src/network/probes/campaign-sightings.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { Watch } from '#src/network/probes/run.ts';
import { type CheckRecord, recordCheck } from '#src/checks/record/check-record.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { forStrangers } from './for-strangers.ts';
import { tellFailures } from './tell-failures.ts';

/** A step of a check that begins or ends. */
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
  /** False where nothing may be looked up about the target, as without a network. */
  readonly visit?: boolean;
  /** The limiter's key for the client; null for the operator, whose command line alone learns which names lead inside. */
  readonly client: string | null;
  /** UUIDv7 of the request. */
  readonly requestId: string;
  /** Milliseconds since the Unix epoch at which the request began. */
  readonly startedAtMs: number;
  /** Aborted where who asked goes away before the answer is written. The check goes on, and its record says so. */
  readonly left?: AbortSignal;
  /** Told of each step, for a client that watches. */
  readonly onStage?: (stage: CheckStage) => void;
  /** Told of each step in all detail, for the operator. */
  readonly onStep?: OnStep | undefined;
  /** Looks at the target in place of the service's own way, where a page was saved earlier. */
  readonly observe?: (watch: Watch) => Promise<Observations>;
  /** Told what was seen and judged. */
  readonly onObserved?: (observations: Observations) => void;
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

/** What looking at a target has to know of its check. */
export type ObservedCheck = Pick<CheckRequest, 'target' | 'visibility' | 'visit' | 'client'>;

/** What was judged, and how. */
export interface JudgedCheck {
  readonly observations: Observations;
  readonly assessment: Assessment;
}

/** What public checks tell of one another; private ones neither tell anything nor are told. */
export interface CampaignMemory {
  /** What was shown on other sites of what a target has. */
  look(target: Target, seen: Observations): CampaignSightings;
  /** Told of each public check that was logged, with the limiter's key of who asked. */
  learn(target: Target, judged: JudgedCheck, client: string): void;
}

/** What a check is made of; each part is passed in, so that the command line can leave some out. */
export interface CheckParts {
  observe(check: ObservedCheck, watch: Watch): Promise<Observations>;
  /** Judges what was seen, and says what of it was judged: a page that took too long was not. */
  judge(target: Target, seen: Observations): Promise<JudgedCheck>;
  /** Logs a check. Resolves once its record is on disk, which is marked where `left` was aborted, or is later on. */
  keep(record: CheckRecord, left?: AbortSignal): Promise<void>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'debug'>;
  /** Told what each check saw, failures and all. */
  readonly onLooked?: ((observations: Observations) => void) | undefined;
  /** Null where nothing is remembered. */
  readonly campaigns?: CampaignMemory | null;
}

/** Puts the parts together. */
export function createCheckService(parts: CheckParts): CheckService {
  const { observe, judge, keep, clock, logger, onLooked, campaigns = null } = parts;
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
      const told = client === null ? seen : forStrangers(seen);
      const remembered = visibility === 'public' && client !== null ? campaigns : null;
      const known = remembered ? withCampaign(told, remembered.look(target, told)) : told;
      const { observations, assessment } = await timed('assess', () => judge(target, known));
      // A page that took too long to judge has failed only now.
      const page = observations.page === known.page ? seen.page : observations.page;
      const looked = { ...seen, page };
      tellFailures(logger, request, looked);
      onLooked?.(looked);
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
      const result = describeCheck(finished);
      const { answer, record } = recordCheck({
        ...{ visibility, result, client, host: target.host },
        ...(assessment.decidingHost !== target.host.text && { decidingHost: hostOf(assessment.decidingHost) }),
      });
      await timed('log', () => keep(record, request.left));
      if (remembered && client !== null) remembered.learn(target, { observations, assessment }, client);
      return answer;
    },
  };
}

/** What was seen, and what was shown elsewhere before: kept together, so that judging it again gives the same. */
function withCampaign(seen: Observations, value: CampaignSightings): Observations {
  return { ...seen, campaign: { state: 'observed', value, elapsedMs: 0 } };
}
