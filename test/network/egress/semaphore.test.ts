import { heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import { createKeyedSemaphore, createSemaphore } from '#src/network/egress/budget/semaphore.ts';

const never = new AbortController().signal;

describe('a semaphore', () => {
  test('grants its permits in order of arrival', async () => {
    const semaphore = createSemaphore(2, 10);
    const entered: number[] = [];
    const permits: Disposable[] = [];
    const visits = [0, 1, 2, 3, 4].map(async (visitor) => {
      permits.push(await semaphore.acquire(never));
      entered.push(visitor);
    });
    await Promise.all(visits.slice(0, 2));
    for (let left = 0; left < 5; left++) {
      expect(entered).toEqual([0, 1, 2, 3, 4].slice(0, Math.min(2 + left, 5)));
      permits[left]?.[Symbol.dispose]();
      await visits[Math.min(2 + left, 4)];
    }
    expect(entered).toEqual([0, 1, 2, 3, 4]);
  });

  test('releases a permit once when it is disposed of twice', async () => {
    const semaphore = createSemaphore(1, 10);
    const first = await semaphore.acquire(never);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await semaphore.acquire(never);
    const third = semaphore.acquire(AbortSignal.timeout(20));
    await expect(third).rejects.toMatchObject({ code: 'aborted' });
  });

  test('removes an aborted caller from the queue', async () => {
    const semaphore = createSemaphore(1, 1);
    const inside = await semaphore.acquire(never);
    const abort = new AbortController();
    const leaving = semaphore.acquire(abort.signal);
    await expect(semaphore.acquire(never)).rejects.toMatchObject({ code: 'overloaded' });
    abort.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'aborted' });
    const next = semaphore.acquire(never);
    inside[Symbol.dispose]();
    await next;
  });
});

test('a keyed semaphore releases a permit once when it is disposed of twice', async () => {
  const enter = createKeyedSemaphore(1, 1);
  const first = await enter('a', never);
  const waiting = enter('a', never);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using _second = await waiting;
  const abort = new AbortController();
  const third = enter('a', abort.signal);
  abort.abort();
  await expect(third).rejects.toMatchObject({ code: 'aborted' });
});

test('a keyed semaphore grants permits in order of arrival', async () => {
  const enter = createKeyedSemaphore(1, 2);
  const first = await enter('a', never);
  const entered: string[] = [];
  const waits = ['second', 'third'].map(async (name) => {
    using _permit = await enter('a', never);
    entered.push(name);
  });
  first[Symbol.dispose]();
  await Promise.all(waits);
  expect(entered).toEqual(['second', 'third']);
});

test('a keyed semaphore frees a key without permits or waiting callers', async () => {
  const enter = createKeyedSemaphore(1, 0);
  using _kept = await enter('kept', never);
  // Each semaphore holds its queue in a set.
  const countSets = () => {
    Bun.gc(true);
    const { Set: sets = 0 } = heapStats().objectTypeCounts;
    return sets;
  };
  const before = countSets();
  for (let key = 0; key < 10_000; key++) (await enter(`${key}`, never))[Symbol.dispose]();
  for (let round = 0; round < 10_000; round++) await enter('kept', never).catch(() => {});
  expect(countSets() - before).toBeLessThan(1000);
  await expect(enter('kept', never)).rejects.toMatchObject({ code: 'overloaded' });
});

test('a keyed semaphore counts each key separately', async () => {
  const enter = createKeyedSemaphore(1, 0);
  const a = await enter('a', never);
  await enter('b', never);
  await expect(enter('a', never)).rejects.toMatchObject({ code: 'overloaded' });
  a[Symbol.dispose]();
  await enter('a', never);
});
