import { heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import { createGate, createKeyedGate } from '#src/network/egress/budget/semaphore.ts';

const never = new AbortController().signal;

describe('a gate', () => {
  test('lets in as many as it has places, and the others in the order in which they came', async () => {
    const gate = createGate(2, 10);
    const entered: number[] = [];
    const places: Disposable[] = [];
    const visits = [0, 1, 2, 3, 4].map(async (visitor) => {
      places.push(await gate.enter(never));
      entered.push(visitor);
    });
    await Promise.all(visits.slice(0, 2));
    for (let left = 0; left < 5; left++) {
      expect(entered).toEqual([0, 1, 2, 3, 4].slice(0, Math.min(2 + left, 5)));
      places[left]?.[Symbol.dispose]();
      await visits[Math.min(2 + left, 4)];
    }
    expect(entered).toEqual([0, 1, 2, 3, 4]);
  });

  test('gives a place back once, however often that is asked for', async () => {
    const gate = createGate(1, 10);
    const first = await gate.enter(never);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await gate.enter(never);
    const third = gate.enter(AbortSignal.timeout(20));
    await expect(third).rejects.toMatchObject({ code: 'aborted' });
  });

  test('forgets who left the queue', async () => {
    const gate = createGate(1, 1);
    const inside = await gate.enter(never);
    const abort = new AbortController();
    const leaving = gate.enter(abort.signal);
    await expect(gate.enter(never)).rejects.toMatchObject({ code: 'overloaded' });
    abort.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'aborted' });
    const next = gate.enter(never);
    inside[Symbol.dispose]();
    await next;
  });
});

test('a keyed gate gives a place back once, however often that is asked for', async () => {
  const enter = createKeyedGate(1, 1);
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

test('a keyed gate lets who waits for a key in before who comes later', async () => {
  const enter = createKeyedGate(1, 2);
  const first = await enter('a', never);
  const entered: string[] = [];
  const waits = ['second', 'third'].map(async (name) => {
    using _place = await enter('a', never);
    entered.push(name);
  });
  first[Symbol.dispose]();
  await Promise.all(waits);
  expect(entered).toEqual(['second', 'third']);
});

test('a keyed gate forgets a key that nobody is inside of or waiting for', async () => {
  const enter = createKeyedGate(1, 0);
  using _kept = await enter('kept', never);
  // Each gate holds its queue in a set.
  const gates = () => {
    Bun.gc(true);
    const { Set: sets = 0 } = heapStats().objectTypeCounts;
    return sets;
  };
  const before = gates();
  for (let key = 0; key < 10_000; key++) (await enter(`${key}`, never))[Symbol.dispose]();
  for (let round = 0; round < 10_000; round++) await enter('kept', never).catch(() => {});
  expect(gates() - before).toBeLessThan(1000);
  await expect(enter('kept', never)).rejects.toMatchObject({ code: 'overloaded' });
});

test('a keyed gate counts each key by itself', async () => {
  const enter = createKeyedGate(1, 0);
  const a = await enter('a', never);
  await enter('b', never);
  await expect(enter('a', never)).rejects.toMatchObject({ code: 'overloaded' });
  a[Symbol.dispose]();
  await enter('a', never);
});
