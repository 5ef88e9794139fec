import { expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { type TraceStep, traceTo } from '#src/core/base/traced.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

test('a traced step returns the same result, and is reported with its time', async () => {
  const clock = createHeldClock(7000);
  const steps: TraceStep[] = [];
  const traced = traceTo((step) => steps.push(step), clock);
  const after = (ms: number, end: () => number) => async () => {
    clock.nowMs += ms;
    return end();
  };
  const fail = (error: Error) => () => {
    throw error;
  };
  const failure = new FailureError('timeout', 'no answer within 40 ms');
  const fault = new TypeError('broken');
  expect(
    await traced(
      'dns',
      'a.example A',
      after(20, () => 3),
      (value) => `${value} records`,
    ),
  ).toBe(3);
  expect(await traced('http', 'http://a.example/', after(40, fail(failure))).catch((error) => error)).toBe(failure);
  expect(await traced('probe', 'page of a.example', after(1, fail(fault))).catch((error) => error)).toBe(fault);
  const began = steps[0]?.startedMs ?? 0;
  expect(steps.map((step) => ({ ...step, startedMs: step.startedMs - began, endedMs: step.endedMs - began }))).toEqual([
    { step: 'dns', subject: 'a.example A', outcome: 'ok', detail: '3 records', startedMs: 0, endedMs: 20 },
    {
      ...{ step: 'http', subject: 'http://a.example/', outcome: 'timeout', detail: 'no answer within 40 ms' },
      ...{ startedMs: 20, endedMs: 60 },
    },
    {
      ...{ step: 'probe', subject: 'page of a.example', outcome: 'internal_error', detail: 'broken' },
      ...{ startedMs: 60, endedMs: 61 },
    },
  ]);
});
