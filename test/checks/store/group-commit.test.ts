import { expect, test } from 'bun:test';
import { createGroupCommit } from '#src/checks/store/write/group-commit.ts';

test('what one turn of the event loop brings is one batch, in order', async () => {
  const batches: number[][] = [];
  const queue = createGroupCommit<number>((items) => void batches.push([...items]));
  await Promise.all([1, 2, 3].map((item) => queue.add(item)));
  await queue.add(4);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test('nothing is resolved before its batch is committed', async () => {
  let isCommitted = false;
  const queue = createGroupCommit<number>(() => {
    isCommitted = true;
  });
  await queue.add(1).then(() => expect(isCommitted).toBe(true));
});

test('an item that fails is told why, and its neighbours are kept', async () => {
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

test('what comes in while the file is worked on waits, and is kept afterwards', async () => {
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

test('work that fails lets go of what waited', async () => {
  const kept: number[] = [];
  const queue = createGroupCommit<number>((items) => void kept.push(...items));
  const held = queue.holdDuring(() => Promise.reject(new Error('full')));
  const added = queue.add(1);
  await expect(held).rejects.toThrow('full');
  await added;
  expect(kept).toEqual([1]);
});
