import { expect, test } from 'bun:test';
import { FAULT_KINDS } from '../soak/plan.ts';
import { runSoak } from '../soak/run-soak.ts';

const MINUTES = 2;
const SEED = 1;

test('a soak of two minutes violates no guarantee: kills, full disks, no resolver, clock jumps, hostile sites', async () => {
  const figures = await runSoak(MINUTES, SEED, false);
  expect(figures.violations).toEqual([]);
  for (const kind of FAULT_KINDS) expect(figures.faults[kind]).toBeGreaterThan(0);
  expect(figures.acknowledged).toBeGreaterThan(100);
  expect(figures.clientAddresses).toBeGreaterThan(5000);
  expect(figures.overLimit.refused).toBeGreaterThan(50);
});
