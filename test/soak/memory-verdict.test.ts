import { expect, test } from 'bun:test';
import { judgeMemory } from './memory-verdict.ts';

/** A sample a second of each life, `mib` after so many seconds. */
const samples = (...lives: { seconds: number; mib: (second: number) => number }[]) =>
  lives.flatMap(({ seconds, mib }, life) =>
    Array.from({ length: seconds }, (_, second) => ({ life, atMs: second * 1000, mib: mib(second) })),
  );

test('a process that fills its caches at first and then stays constant has not grown', () => {
  const young = (second: number) => 130 + Math.min(second, 100);
  expect(judgeMemory(samples({ seconds: 900, mib: young }))).toEqual({ mostMib: 230, growthMib: 0, problems: [] });
});

test('a leak is detected, even a slow one', () => {
  const leaky = (second: number) => 130 + second / 20;
  expect(judgeMemory(samples({ seconds: 1800, mib: leaky })).problems.length).toBe(1);
});

test('growth is measured for the last process only, if it ran long enough', () => {
  const lives = samples(
    { seconds: 900, mib: (second) => 130 + second / 5 },
    { seconds: 60, mib: (second) => 130 + second },
  );
  expect(judgeMemory(lives)).toMatchObject({ growthMib: null, problems: [] });
});

test('the memory ceiling applies to every process', () => {
  const problems = judgeMemory(samples({ seconds: 9, mib: () => 900 }, { seconds: 9, mib: () => 100 })).problems;
  expect(problems.length).toBe(1);
});
