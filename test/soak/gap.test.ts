import { expect, test } from 'bun:test';
import { explainsSilence } from './gap.ts';

const cut = (sentMs: number, endedMs: number) => ({ kind: 'cut', problem: 'ECONNRESET', sentMs, endedMs }) as const;
const KILLED = { how: 'killed', fromMs: 10_000, untilMs: 20_000 } as const;
const STOPPED = { ...KILLED, how: 'stopped' } as const;

test('whoever comes while the service is not there goes without an answer', () => {
  for (const gap of [KILLED, STOPPED]) {
    expect(explainsSilence(gap, cut(15_000, 15_001))).toBe(true);
    expect(explainsSilence(gap, cut(8000, 9000))).toBe(false);
    expect(explainsSilence(gap, cut(21_000, 22_000))).toBe(false);
  }
});

test('a kill cuts off whoever waits, and an orderly stop lets nobody go who had arrived', () => {
  expect(explainsSilence(KILLED, cut(3000, 10_001))).toBe(true);
  expect(explainsSilence(STOPPED, cut(3000, 12_000))).toBe(false);
  expect(explainsSilence(STOPPED, cut(9990, 10_001))).toBe(true);
});
