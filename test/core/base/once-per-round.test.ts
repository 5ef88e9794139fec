import { expect, test } from 'bun:test';
import { oncePerRound } from '#src/core/base/timers.ts';

test('of several workers that run in steps, only one runs in each round of the event loop', async () => {
  let round = 0;
  let isOver = false;
  const count = () => {
    round++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const nextRound = oncePerRound();
  const rounds: number[] = [];
  const worker = async () => {
    for (let piece = 0; piece < 5; piece++) {
      await nextRound();
      rounds.push(round);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  isOver = true;
  expect(rounds).toHaveLength(40);
  expect(new Set(rounds).size).toBe(40);
});
