import { expect, test } from 'bun:test';
import { mapInOrder } from '#src/interfaces/cli/check/check-all-lines.ts';

async function* batches<T>(...all: T[][]): AsyncGenerator<T[]> {
  yield* all;
}

test('returns results in the order of the items, regardless of their duration', async () => {
  const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const results = Array.fromAsync(
    mapInOrder(batches([0, 1], [2]), 10, async (item) => {
      await gates[item]?.promise;
      return item;
    }),
  );
  for (const gate of gates.toReversed()) gate.resolve();
  expect(await results).toEqual([0, 1, 2]);
});

test('runs as many items in parallel as the limit allows, and no more', async () => {
  let underWay = 0;
  let most = 0;
  const items = Array.from({ length: 100 }, (_, i) => i);
  const results = await Array.fromAsync(
    mapInOrder(batches(items.slice(0, 40), items.slice(40)), 7, async (item) => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
      return item;
    }),
  );
  expect(results).toEqual(items);
  expect(most).toBe(7);
});

test('returns a result while the source has no further items', async () => {
  const silence = Promise.withResolvers<void>();
  async function* source(): AsyncGenerator<number[]> {
    yield [1];
    await silence.promise;
    yield [2];
  }
  const results = mapInOrder(source(), 5, async (item) => item);
  expect((await results.next()).value).toBe(1);
  silence.resolve();
  expect((await results.next()).value).toBe(2);
  expect((await results.next()).done).toBe(true);
});

test('throws the error of a source or an item after the results before it', async () => {
  async function* source(): AsyncGenerator<number[]> {
    yield [1, 2, 3];
    throw new Error('the source has failed');
  }
  const seen: number[] = [];
  const read = async (failsAt: number) => {
    const results = mapInOrder(source(), 5, async (item) => {
      if (item >= failsAt) throw new Error(`${item} has failed`);
      return item;
    });
    for await (const result of results) seen.push(result);
  };
  await expect(read(9)).rejects.toThrow('the source has failed');
  await expect(read(2)).rejects.toThrow('2 has failed');
  expect(seen).toEqual([1, 2, 3, 1]);
});
