import { describe, expect, test } from 'bun:test';
import { runInTurns } from '#src/service/server/check/batch-route.ts';

const item = (at: number, weight: number) => ({ at, weight });
const NEVER = new AbortController().signal;

/** Does nothing with items of these weights, and returns the indices that each turn of the event loop started. */
async function turnsOf(weights: readonly number[]): Promise<number[][]> {
  const turns: number[][] = [];
  let current: number[] | null = null;
  await runInTurns(
    weights.map((weight, at) => item(at, weight)),
    {
      weightOf: ({ weight }) => weight,
      until: NEVER,
      async work({ at }) {
        if (current === null) {
          current = [];
          turns.push(current);
          setImmediate(() => {
            current = null;
          });
        }
        current.push(at);
        await undefined;
      },
    },
  );
  return turns;
}

describe('work in turns', () => {
  test('starts every item in order, never more than 16 in a turn', async () => {
    const turns = await turnsOf(Array<number>(100).fill(60));
    expect(turns.flat()).toEqual(Array.from({ length: 100 }, (_, at) => at));
    expect(turns[0]?.length).toBe(2);
    expect(Math.max(...turns.map(({ length }) => length))).toBeLessThanOrEqual(16);
  });

  test('gives an item a turn of its own that weighs more than a turn may', async () => {
    for (const turn of await turnsOf(Array<number>(8).fill(8192))) expect(turn).toHaveLength(1);
    for (const turn of await turnsOf(Array<number>(30).fill(600))) expect(turn.length).toBeLessThanOrEqual(3);
  });

  test('starts no further item once it is aborted, and rejects with what one throws once all have ended', async () => {
    const leaving = new AbortController();
    const started: number[] = [];
    const ended: number[] = [];
    const items = Array.from({ length: 50 }, (_, at) => item(at, 1));
    const running = runInTurns(items, {
      weightOf: ({ weight }) => weight,
      until: leaving.signal,
      async work({ at }) {
        started.push(at);
        if (at === 1) leaving.abort();
        await new Promise(setImmediate);
        ended.push(at);
        if (at === 0) throw new RangeError('the first');
      },
    });
    await expect(running).rejects.toThrow('the first');
    expect(started).toEqual([0, 1]);
    expect(ended).toEqual([0, 1]);
  });
});
