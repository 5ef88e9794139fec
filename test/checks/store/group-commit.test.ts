import { expect, test } from 'bun:test';
import { type Commits, createGroupCommit } from '#src/checks/store/write/group-commit.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

/** Transactions that are on disk as soon as they are written. */
function syncedAtOnce(write: (items: readonly number[]) => void): Commits<number> {
  return {
    write(items) {
      write(items);
      return () => {};
    },
    sync: () => Promise.resolve(),
    syncNow() {},
  };
}

/** Transactions whose syncs the test ends; notes batches, and how their syncs ended. */
function slowlySynced() {
  const batches: number[][] = [];
  const ended: [items: readonly number[], isOnDisk: boolean][] = [];
  const syncs: PromiseWithResolvers<void>[] = [];
  const commits: Commits<number> = {
    write(items) {
      batches.push([...items]);
      return (isOnDisk) => void ended.push([items, isOnDisk]);
    },
    sync() {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
    syncNow() {},
  };
  return { batches, ended, syncs, commits };
}

test('resolves items after their sync, and writes those that arrive during two syncs together afterwards', async () => {
  const { batches, ended, syncs, commits } = slowlySynced();
  const queue = createGroupCommit(commits);
  const added: Promise<void>[] = [];
  for (const item of [1, 2, 3, 4]) {
    added.push(queue.add(item));
    await new Promise(setImmediate);
  }
  expect([batches, syncs.length, ended]).toEqual([[[1], [2]], 2, []]);
  syncs[0]?.resolve();
  await added[0];
  await new Promise(setImmediate);
  expect(batches).toEqual([[1], [2], [3, 4]]);
  for (const { resolve } of syncs) resolve();
  await Promise.all(added);
  expect(ended).toEqual([
    [[1], true],
    [[2], true],
    [[3, 4], true],
  ]);
});

test('rejects the items of a failed sync and of one that began before its end, but not later ones', async () => {
  const { batches, ended, syncs, commits } = slowlySynced();
  const queue = createGroupCommit(commits);
  const added: Promise<void>[] = [];
  for (const item of [1, 2, 3]) {
    added.push(queue.add(item));
    await new Promise(setImmediate);
  }
  syncs[0]?.reject(new Error('EIO'));
  await expect(added[0]).rejects.toThrow('EIO');
  await new Promise(setImmediate);
  syncs[1]?.resolve();
  syncs[2]?.resolve();
  await expect(added[1]).rejects.toThrow('EIO');
  await added[2];
  expect(batches).toEqual([[1], [2], [3]]);
  expect(ended.map(([, isOnDisk]) => isOnDisk)).toEqual([false, false, true]);
});

test('work on the file begins beside the sync in progress, and can wait for it', async () => {
  const { syncs, commits } = slowlySynced();
  const queue = createGroupCommit(commits);
  const added = queue.add(1);
  await new Promise(setImmediate);
  const steps: string[] = [];
  const held = queue.holdDuring(async (earlier) => {
    steps.push('begun');
    await earlier;
    steps.push('synced');
  });
  await new Promise(setImmediate);
  expect(steps).toEqual(['begun']);
  syncs[0]?.resolve();
  await Promise.all([added, held]);
  expect(steps).toEqual(['begun', 'synced']);
});

test('a closing log brings the items of the sync in progress and those that wait to the disk', async () => {
  const { batches, ended, commits } = slowlySynced();
  const queue = createGroupCommit(commits);
  const added = [queue.add(1)];
  await new Promise(setImmediate);
  added.push(queue.add(2));
  queue.flush();
  await Promise.all(added);
  expect(batches).toEqual([[1], [2]]);
  expect(ended.map(([, isOnDisk]) => isOnDisk)).toEqual([true, true]);
});

test('batches the items of one turn of the event loop, in order', async () => {
  const batches: number[][] = [];
  const queue = createGroupCommit<number>(syncedAtOnce((items) => void batches.push([...items])));
  await Promise.all([1, 2, 3].map((item) => queue.add(item)));
  await queue.add(4);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test('resolves items only once their batch is committed', async () => {
  let isCommitted = false;
  const queue = createGroupCommit<number>(
    syncedAtOnce(() => {
      isCommitted = true;
    }),
  );
  await queue.add(1).then(() => expect(isCommitted).toBe(true));
});

test('rejects a failed item with its reason, and stores the other items of its batch', async () => {
  const kept: number[] = [];
  const queue = createGroupCommit<number>(
    syncedAtOnce((items) => {
      if (items.includes(13)) throw new Error('not thirteen');
      kept.push(...items);
    }),
  );
  const outcomes = await Promise.allSettled([12, 13, 14].map((item) => queue.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: new Error('not thirteen') });
  expect(kept).toEqual([12, 14]);
});

test('holds new items during work on the file, and stores them afterwards', async () => {
  const kept: number[] = [];
  const queue = createGroupCommit<number>(syncedAtOnce((items) => void kept.push(...items)));
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
  const queue = createGroupCommit<number>(syncedAtOnce((items) => void kept.push(...items)));
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
  const queue = createGroupCommit<number>(
    syncedAtOnce((items) => void batches.push([...items])),
    pace,
  );
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
  const queue = createGroupCommit<number>(
    syncedAtOnce((items) => void batches.push([...items])),
    pace,
  );
  await queue.add(1);
  const waiting = queue.add(2);
  queue.flush();
  await waiting;
  expect(batches).toEqual([[1], [2]]);
});
