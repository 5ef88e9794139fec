import type { Engine, OfflineVerdict } from '#src/app/engine.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { TraceStep } from '#src/core/base/traced.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { ProbeHooks } from '#src/network/probes/run.ts';
import { type ProblemCode, problemType } from '#src/service/server/http/problem-kinds.ts';
import type { CheckInput } from './check-input.ts';

/** A step of a check in JSON, in seconds from the beginning of the check. */
export interface TimedStep extends Omit<TraceStep, 'startedMs' | 'endedMs'> {
  readonly started_seconds: number;
  readonly elapsed_seconds: number;
}

/** The steps of a check that began at `startMs` of the monotonic clock, in the order in which they began. */
function traceOf(steps: readonly TraceStep[], startMs: number): TimedStep[] {
  return steps
    .toSorted((a, b) => a.startedMs - b.startedMs || b.endedMs - a.endedMs)
    .map(({ startedMs, endedMs, ...step }) => ({
      ...step,
      started_seconds: (startedMs - startMs) / 1000,
      elapsed_seconds: (endedMs - startedMs) / 1000,
    }));
}

/** The way of a check for a person: when each step began, how long it took, what it was, and how it ended. */
export function describeTrace(trace: readonly TimedStep[]): string {
  const lines = trace.map(({ started_seconds, elapsed_seconds, step, subject, outcome, detail }) => {
    const end = outcome === 'ok' ? detail : `${outcome}: ${detail}`;
    const what = visibleInTerminal(end === '' ? subject : `${subject}  ${end}`);
    return `${inMilliseconds(started_seconds)} ${inMilliseconds(elapsed_seconds)}  ${step.padEnd(STEP_WIDTH)} ${what}\n`;
  });
  return `${'began'.padStart(WIDTH)} ${'took'.padStart(WIDTH)}  in milliseconds\n${lines.join('')}`;
}

const WIDTH = 9;
const STEP_WIDTH = 'connection'.length;

const inMilliseconds = (seconds: number): string => (seconds * 1000).toFixed(1).padStart(WIDTH);

/** A line that could not be checked, in the shape of an RFC 9457 problem with its place. */
export interface LineProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** A ProblemCode, or an unknown code of a newer service. */
  readonly code: string;
  readonly url: string;
  readonly line: number;
  /** Parts of a message that were not read; absent for links and lines. */
  readonly not_read?: readonly string[];
}

/**
 * The message around a link. `says` and `goes_to` are hosts, null unless the words contradict the link. `how` states
 * how a page leads there, and is absent for a link.
 */
export interface InMessage {
  readonly how?: NonNullable<MessageLink['role']>;
  readonly words: string | null;
  readonly says: string | null;
  readonly goes_to: string | null;
  /** Present if the words name a host, and a service hides that of the link. */
  readonly hidden?: { readonly says: string; readonly through: string };
}

/** Optional parts of an answer. */
export interface Extras {
  readonly observations?: Observations;
  readonly trace?: readonly TimedStep[];
  readonly in_message?: InMessage;
}

/** Result or problem of an input. */
export type CheckOutcome = { readonly result: CheckResult & Extras } | { readonly problem: LineProblem };

/** The same without what no row of tsv shows. */
export type VerdictOutcome = { readonly result: OfflineVerdict } | { readonly problem: LineProblem };

/** Options of a check. */
export interface CheckOptions {
  /** Determines the log and the caches. */
  readonly visibility: Visibility;
  /** True if the answer includes the observations, so that it can be classified again. */
  readonly withObservations: boolean;
  /** True if it carries what the check did, and when. */
  readonly withTrace: boolean;
}

export type Checker = Pick<Engine, 'check' | 'observeSaved'>;

/** Engine for checks of lines without network. */
export type LineChecker = Checker & Pick<Engine, 'offlineVerdict'>;

/** Checks one input. Problems of the input or the log are outcomes. */
export async function checkOne(
  input: CheckInput,
  { check, observeSaved }: Checker,
  { visibility, withObservations, withTrace }: CheckOptions,
): Promise<CheckOutcome> {
  const { target, page, link } = input;
  if ('problem' in target) return { problem: lineProblem(input, target.code, target.problem) };
  const startedAtMs = systemClock.now();
  const requestId = createRequestId(startedAtMs);
  let seen: Observations | undefined;
  const onObserved = (observations: Observations) => {
    seen = observations;
  };
  try {
    const steps: TraceStep[] = [];
    const onStep = withTrace ? (step: TraceStep) => void steps.push(step) : undefined;
    const startMs = systemClock.monotonicMs();
    const observe = page ? (watch: ProbeHooks) => observeSaved(target, visibility, page, watch) : undefined;
    // A text that may be half of a link must not be in the public history.
    const ownVisibility = link?.isGuess ? 'private' : visibility;
    const request = {
      ...({ target, visibility: ownVisibility, via: 'cli', client: null } as const),
      ...{ requestId, startedAtMs, onObserved, onStep },
    };
    const result = await check.check(observe ? { ...request, observe } : request);
    // Unchanged if nothing is added, so that its cached JSON is used.
    if (!link && !withObservations && !withTrace) return { result };
    const observed = withObservations && seen ? { observations: seen } : {};
    const traced = withTrace ? { trace: traceOf(steps, startMs) } : {};
    const origin = link ? { in_message: inMessage(link) } : {};
    return { result: { ...result, ...origin, ...observed, ...traced } };
  } catch (error) {
    if (error instanceof UnavailableError) return { problem: lineProblem(input, error.code, error.message) };
    throw error;
  }
}

/** Describes a link of a message. */
export function inMessage({ role, words, mismatch, detour }: MessageLink): InMessage {
  return {
    ...{ words, says: mismatch?.says ?? null, goes_to: mismatch?.goesTo ?? null },
    ...(role && { how: role }),
    ...(detour && { hidden: { says: detour.says, through: detour.through } }),
  };
}

/** The problem of an input that cannot be checked. */
export function lineProblem({ text, line, notRead }: CheckInput, code: ProblemCode, detail: string): LineProblem {
  return { ...problemType(code), detail, code, url: text, line, ...(notRead && { not_read: notRead }) };
}
