import { expect, test } from 'bun:test';
import { shardOf } from '#src/parts/fleet/limiter/sharded-windows.ts';

const CLIENTS = Array.from({ length: 30_000 }, (_, n) => `client${n}`);

const namesFor = (shards: readonly string[]) => CLIENTS.map((client) => shards[shardOf(shards, client)]);

test('shards have equal shares of the clients, whatever their order', () => {
  const names = namesFor(['a', 'b', 'c']);
  for (const shard of ['a', 'b', 'c']) {
    const share = names.filter((name) => name === shard).length / CLIENTS.length;
    expect(Math.abs(share - 1 / 3)).toBeLessThan(0.015);
  }
  expect(namesFor(['c', 'a', 'b'])).toEqual(names);
});

test('a further shard takes its share, and moves no other client', () => {
  const [before, after] = [namesFor(['a', 'b', 'c']), namesFor(['a', 'b', 'c', 'd'])];
  const moved = after.filter((name, at) => name !== before[at]);
  expect(new Set(moved)).toEqual(new Set(['d']));
  expect(Math.abs(moved.length / CLIENTS.length - 1 / 4)).toBeLessThan(0.015);
});
