import type { Clock } from './clock.ts';
import { type FailureCode, FailureError } from './failure.ts';

/** The kinds of steps that a check is made of: its own stages, the probes in them, and what these did on the network. */
export type StepKind = 'stage' | 'probe' | 'dns' | 'connection' | 'tls' | 'http' | 'exchange' | 'read';

/** One step of a check, as it ended. */
export interface TraceStep {
  readonly step: StepKind;
  /** Who was asked, and for what: `example.com A`, `192.0.2.1:443`, a URL. */
  readonly subject: string;
  readonly outcome: 'ok' | FailureCode;
  /** In a few words, for the operator: it may name what was checked. */
  readonly detail: string;
  /** By the monotonic clock, in milliseconds. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Told of each step as it ends, also of one that nobody waits for any more. */
export type OnStep = (step: TraceStep) => void;

/** Does a step, which comes out as it would without being watched. `describe` says what it brought. */
export type Traced = <T>(
  step: StepKind,
  subject: string,
  run: () => Promise<T>,
  describe?: (value: T) => string,
) => Promise<T>;

/** For what nobody watches. */
export const UNTRACED: Traced = (_step, _subject, run) => run();

/** Tells of each step how it ended, and when. */
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
