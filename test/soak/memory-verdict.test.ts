import { expect, test } from 'bun:test';
import { judgeMemory } from './memory-verdict.ts';

/** A sample a second of each life, `mib` after so many seconds. */
const samples = (...lives: { seconds: number; mib: (second: number) => number }[]) =>
  lives.flatMap(({ seconds, mib }, life) =>
    Array.from({ length: seconds }, (_, second) => ({ life, atMs: second * 1000, mib: mib(second) })),
  );

test('a life that fills its caches when young and then stays as it is has not grown', () => {
  const young = (second: number) => 130 + Math.min(second, 100);
  expect(judgeMemory(samples({ seconds: 900, mib: young }))).toEqual({ mostMib: 230, growthMib: 0, problems: [] });
});

test('a life that leaks is found out, however slowly it does', () => {
  const leaky = (second: number) => 130 + second / 20;
  expect(judgeMemory(samples({ seconds: 1800, mib: leaky })).problems.length).toBe(1);
});

test('of the last life alone it is said whether it grew, and not of one too short to tell', () => {
  const lives = samples(
    { seconds: 900, mib: (second) => 130 + second / 5 },
    { seconds: 60, mib: (second) => 130 + second },
  );
  expect(judgeMemory(lives)).toMatchObject({ growthMib: null, problems: [] });
});

test('a ceiling holds for every life', () => {
  const problems = judgeMemory(samples({ seconds: 9, mib: () => 900 }, { seconds: 9, mib: () => 100 })).problems;
  expect(problems.length).toBe(1);
});
