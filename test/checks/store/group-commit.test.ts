import { expect, test } from 'bun:test';
import { createGroupCommit } from '#src/checks/store/write/group-commit.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

test('batches the items of one turn of the event loop, in order', async () => {
  const batches: number[][] = [];
  const queue = createGroupCommit<number>((items) => void batches.push([...items]));
  await Promise.all([1, 2, 3].map((item) => queue.add(item)));
  await queue.add(4);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test('resolves items only once their batch is committed', async () => {
  let isCommitted = false;
  const queue = createGroupCommit<number>(() => {
    isCommitted = true;
  });
  await queue.add(1).then(() => expect(isCommitted).toBe(true));
});

test('rejects a failed item with its reason, and stores the other items of its batch', async () => {
  const kept: number[] = [];
  const queue = createGroupCommit<number>((items) => {
    if (items.includes(13)) throw new Error('not thirteen');
    kept.push(...items);
  });
  const outcomes = await Promise.allSettled([12, 13, 14].map((item) => queue.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: new Error('not thirteen') });
  expect(kept).toEqual([12, 14]);
});

test('holds new items during work on the file, and stores them afterwards', async () => {
  const kept: number[] = [];
  const queue = createGroupCommit<number>((items) => void kept.push(...items));
  const { promise: worked, resolve: endWork } = Promise.withResolvers<void>();
  const held = queue.holdDuring(() => worked);
  const added = queue.add(1);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(kept).toEqual([]);
  endWork();
  await Promise.all([held, added]);
  expect(kept).toEqual([1]);
});

test('releases held items if the work fails', async () => {
  const kept: number[] = [];
  const queue = createGroupCommit<number>((items) => void kept.push(...items));
  const held = queue.holdDuring(() => Promise.reject(new Error('full')));
  const added = queue.add(1);
  await expect(held).rejects.toThrow('full');
  await added;
  expect(kept).toEqual([1]);
});

test('waits for the commit interval under load, but not after a pause', async () => {
  const batches: number[][] = [];
  const clock = createHeldClock(1000);
  const pace = { intervalMs: 20, monotonicMs: clock.monotonicMs };
  const queue = createGroupCommit<number>((items) => void batches.push([...items]), pace);
  await queue.add(1);
  clock.nowMs += 5;
  const second = queue.add(2);
  await new Promise(setImmediate);
  const third = queue.add(3);
  await new Promise(setImmediate);
  expect(batches).toEqual([[1]]);
  await Promise.all([second, third]);
  expect(batches).toEqual([[1], [2, 3]]);
  clock.nowMs += 20;
  const fourth = queue.add(4);
  await new Promise(setImmediate);
  expect(batches).toEqual([[1], [2, 3], [4]]);
  await fourth;
});

test('a closing log commits the items that wait for the interval', async () => {
  const batches: number[][] = [];
  const pace = { intervalMs: 10_000, monotonicMs: () => 0 };
  const queue = createGroupCommit<number>((items) => void batches.push([...items]), pace);
  await queue.add(1);
  const waiting = queue.add(2);
  queue.flush();
  await waiting;
  expect(batches).toEqual([[1], [2]]);
});
