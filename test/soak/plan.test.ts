import { expect, test } from 'bun:test';
import { ENDING, FAULT_KINDS, planSoak } from './plan.ts';

const RUNS = [2, 5, 60].flatMap((minutes) => Array.from({ length: 50 }, (_, seed) => [minutes, seed] as const));

test('every fault happens at least once, one after the other, and is over before the load is', () => {
  for (const [minutes, seed] of RUNS) {
    const { faults, faultySeconds } = planSoak(minutes, seed);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
    for (const [index, { atSeconds, lastsSeconds }] of faults.entries()) {
      expect(lastsSeconds).toBeGreaterThan(0);
      expect(atSeconds + lastsSeconds).toBeLessThan(faults[index + 1]?.atSeconds ?? faultySeconds);
    }
  }
});

test('nothing ends the process in the last third of an hour, so that it shows whether it grows', () => {
  for (const [, seed] of RUNS) {
    const { faults, faultySeconds } = planSoak(60, seed);
    const ending = faults.filter(({ kind }) => ENDING.has(kind));
    expect(Math.max(...ending.map(({ atSeconds }) => atSeconds))).toBeLessThan((faultySeconds * 2) / 3);
  }
});

test('a seed makes the same plan each time, and another seed another', () => {
  expect(planSoak(60, 7)).toEqual(planSoak(60, 7));
  expect(planSoak(60, 7)).not.toEqual(planSoak(60, 8));
});
