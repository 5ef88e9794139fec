import { expect, test } from 'bun:test';
import { explainsSilence } from './gap.ts';

const cut = (sentMs: number, endedMs: number) => ({ kind: 'cut', problem: 'ECONNRESET', sentMs, endedMs }) as const;
const KILLED = { how: 'killed', fromMs: 10_000, untilMs: 20_000 } as const;
const STOPPED = { ...KILLED, how: 'stopped' } as const;

test('a gap explains unanswered requests that were sent during it', () => {
  for (const gap of [KILLED, STOPPED]) {
    expect(explainsSilence(gap, cut(15_000, 15_001))).toBe(true);
    expect(explainsSilence(gap, cut(8000, 9000))).toBe(false);
    expect(explainsSilence(gap, cut(21_000, 22_000))).toBe(false);
  }
});

test('a kill explains the loss of waiting requests, and an orderly stop only of those that had not arrived', () => {
  expect(explainsSilence(KILLED, cut(3000, 10_001))).toBe(true);
  expect(explainsSilence(STOPPED, cut(3000, 12_000))).toBe(false);
  expect(explainsSilence(STOPPED, cut(9990, 10_001))).toBe(true);
});
