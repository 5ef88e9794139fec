import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { TraceStep } from '#src/core/base/traced.ts';

/** A step of a check in JSON, in seconds from the beginning of the check. */
export interface TimedStep extends Omit<TraceStep, 'startedMs' | 'endedMs'> {
  readonly started_seconds: number;
  readonly elapsed_seconds: number;
}

/** The steps of a check that began at `startMs` of the monotonic clock, in the order in which they began. */
export function traceOf(steps: readonly TraceStep[], startMs: number): TimedStep[] {
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
