import { expect, test } from 'bun:test';
import { ENDING, FAULT_KINDS, planSoak } from './plan.ts';

const RUNS = [2, 5, 60].flatMap((minutes) => Array.from({ length: 50 }, (_, seed) => [minutes, seed] as const));

test('every fault occurs at least once, without overlap, and ends before the load does', () => {
  for (const [minutes, seed] of RUNS) {
    const { faults, faultySeconds } = planSoak(minutes, seed);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
    for (const [index, { atSeconds, lastsSeconds }] of faults.entries()) {
      expect(lastsSeconds).toBeGreaterThan(0);
      expect(atSeconds + lastsSeconds).toBeLessThan(faults[index + 1]?.atSeconds ?? faultySeconds);
    }
  }
});

test('no process ends in the last third of an hour, so that its growth can be measured', () => {
  for (const [, seed] of RUNS) {
    const { faults, faultySeconds } = planSoak(60, seed);
    const ending = faults.filter(({ kind }) => ENDING.has(kind));
    expect(Math.max(...ending.map(({ atSeconds }) => atSeconds))).toBeLessThan((faultySeconds * 2) / 3);
  }
});

test('a seed always produces the same plan, and another seed a different one', () => {
  expect(planSoak(60, 7)).toEqual(planSoak(60, 7));
  expect(planSoak(60, 7)).not.toEqual(planSoak(60, 8));
});
