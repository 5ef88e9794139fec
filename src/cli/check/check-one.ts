import { systemClock } from '#src/base/clock.ts';
import { UnavailableError } from '#src/base/refusal.ts';
import { createRequestId } from '#src/base/request-id.ts';
import type { Visibility } from '#src/base/visibility.ts';
import type { Observations } from '#src/probes/observations.ts';
import type { Engine } from '#src/program/engine.ts';
import type { CheckResult } from '#src/record/check-result.ts';
import { type ProblemCode, type ProblemType, problemType } from '#src/server/http/problem-kinds.ts';
import type { CheckInput } from './check-input.ts';

/** A line that could not be checked, in the shape of an RFC 9457 problem with its place. */
export interface LineProblem extends ProblemType {
  readonly detail: string;
  readonly code: ProblemCode;
  readonly url: string;
  readonly line: number;
}

/** What came of one input. */
export type CheckOutcome =
  | { readonly result: CheckResult & { readonly observations?: Observations } }
  | { readonly problem: LineProblem };

/** How inputs are checked. */
export interface CheckOptions {
  /** Which log keeps the record, and which caches are used. */
  readonly visibility: Visibility;
  /** Whether the answer carries what was observed, so that it can be judged again. */
  readonly withObservations: boolean;
}

/** Checks one input. Whatever is wrong with it, or with the log, is an outcome. */
export async function checkOne(
  input: CheckInput,
  { check, observeSaved }: Pick<Engine, 'check' | 'observeSaved'>,
  { visibility, withObservations }: CheckOptions,
): Promise<CheckOutcome> {
  const { target, page } = input;
  if ('problem' in target) return { problem: lineProblem(input, target.code, target.problem) };
  const startedAtMs = systemClock.now();
  const requestId = createRequestId(startedAtMs);
  let seen: Observations | undefined;
  const onObserved = (observations: Observations) => {
    seen = observations;
  };
  try {
    const observe = page ? () => observeSaved(target, visibility, page) : undefined;
    const request = { target, visibility, client: null, requestId, startedAtMs, onObserved };
    const result = await check.check(observe ? { ...request, observe } : request);
    return { result: withObservations && seen ? { ...result, observations: seen } : result };
  } catch (error) {
    if (error instanceof UnavailableError) return { problem: lineProblem(input, error.code, error.message) };
    throw error;
  }
}

function lineProblem({ text, line }: CheckInput, code: ProblemCode, detail: string): LineProblem {
  return { ...problemType(code), detail, code, url: text, line };
}
