import { expect, test } from 'bun:test';
import { createKnownRefusals } from '#src/service/server/limiter/known-refusals.ts';
import { client } from './limiter-laws.ts';

const inNetwork = { key: 'a', limit: 3, network: { key: 'n', limit: 9 } };

test('a refusal is stored until it ends, and the longer of two is returned', () => {
  const refusals = createKnownRefusals(10);
  expect(refusals.find(inNetwork, 0)).toBeNull();
  refusals.note('client', inNetwork, 100);
  refusals.note('network', inNetwork.network, 300);
  const told = (of: string, limit: number, freeInMs: number) => ({
    refusedBy: of,
    nearest: { of, limit },
    remaining: 0,
    freeInMs,
  });
  expect(refusals.find(inNetwork, 40)).toMatchObject(told('network', 9, 260));
  expect(refusals.find(client('a', 3), 40)).toMatchObject(told('client', 3, 60));
  expect(refusals.find({ ...inNetwork, key: 'b' }, 299)).toMatchObject(told('network', 9, 1));
  expect(refusals.find(inNetwork, 300)).toBeNull();
});

test('a refusal under another limit than the active one is not returned', () => {
  const refusals = createKnownRefusals(10);
  refusals.note('client', client('a', 3), 100);
  expect(refusals.find(client('a', 4), 0)).toBeNull();
});

test('at most the configured number of refusals is stored', () => {
  const refusals = createKnownRefusals(10);
  for (let n = 0; n < 25; n++) refusals.note('client', client(`client ${n}`, 3), 100);
  const known = Array.from({ length: 25 }, (_, n) => refusals.find(client(`client ${n}`, 3), 0)).filter(Boolean);
  expect(known.length).toBeLessThanOrEqual(10);
  expect(refusals.find(client('client 24', 3), 0)).not.toBeNull();
});
