import type { Clock } from './clock.ts';
import { type FailureCode, FailureError } from './failure.ts';

/** Kinds of steps of a check: stages, probes, and their network operations. */
export type StepKind = 'stage' | 'probe' | 'dns' | 'connection' | 'tls' | 'http' | 'exchange' | 'read';

/** A finished step of a check. */
export interface TraceStep {
  readonly step: StepKind;
  /** The target of the step: `example.com A`, `192.0.2.1:443`, a URL. */
  readonly subject: string;
  readonly outcome: 'ok' | FailureCode;
  /** Short text for the operator, which may name the target. */
  readonly detail: string;
  /** By the monotonic clock, in milliseconds. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Called when a step ends, even if nothing waits for it any more. */
export type OnStep = (step: TraceStep) => void;

/** Runs a step and returns its result unchanged. `describe` formats the result for the trace. */
export type Traced = <T>(
  step: StepKind,
  subject: string,
  run: () => Promise<T>,
  describe?: (value: T) => string,
) => Promise<T>;

/** Runs steps without a trace. */
export const UNTRACED: Traced = (_step, _subject, run) => run();

/** Creates a tracer that reports each step. */
export function traceTo(onStep: OnStep, clock: Pick<Clock, 'monotonicMs'>): Traced {
  return async (step, subject, run, describe) => {
    const startedMs = clock.monotonicMs();
    const end = (outcome: TraceStep['outcome'], detail: string) =>
      onStep({ step, subject, outcome, detail, startedMs, endedMs: clock.monotonicMs() });
    try {
      const value = await run();
      end('ok', describe?.(value) ?? '');
      return value;
    } catch (error) {
      const isKnown = error instanceof FailureError;
      end(isKnown ? error.code : 'internal_error', error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}
