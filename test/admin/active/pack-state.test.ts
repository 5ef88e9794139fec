import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  changePackState,
  type InstalledPack,
  installedPackPath,
  packStateFile,
  packsBefore,
  readPackState,
  withoutPack,
  withoutPublisher,
  withPack,
  withPublisher,
} from '#src/admin/active/pack-state.ts';
import { raiseClockFloor, readClockFloor } from '#src/parts/packs/packs/pack-time.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ACME = { fingerprint: 'a'.repeat(64), key: 'a', name: 'Acme', since: '2026-01-01T00:00:00.000Z' };

test('the latest observed time never decreases, and steps of less than a minute are not written', async () => {
  await using directory = temporaryDirectory();
  expect(readClockFloor(directory.path)).toBeNull();
  for (const [seen, kept] of [
    [1_000_000, 1_000_000],
    [500_000, 1_000_000],
    [1_059_999, 1_000_000],
    [1_060_000, 1_060_000],
  ] as const) {
    raiseClockFloor(directory.path, seen);
    expect(readClockFloor(directory.path)).toBe(kept);
  }
});

test.each(['', 'no json', '{}', '{"newest": 3}', '{"newest": "some day"}'])(
  'a clock file that contains %p is ignored',
  async (text) => {
    await using directory = temporaryDirectory();
    mkdirSync(join(directory.path, 'packs'));
    writeFileSync(join(directory.path, 'packs/clock.json'), text);
    expect(readClockFloor(directory.path)).toBeNull();
  },
);

test('a file that does not name the active packs is reported and never overwritten', async () => {
  await using directory = temporaryDirectory();
  const path = packStateFile(directory.path);
  mkdirSync(join(directory.path, 'packs'));
  writeFileSync(path, '{"layout": 2}');
  expect(() => readPackState(directory.path)).toThrow(`${path} does not name the active packs`);
  expect(() => changePackState(directory.path, (state) => withPublisher(state, ACME))).toThrow('does not name');
  expect(await Bun.file(path).text()).toBe('{"layout": 2}');
  expect(readdirSync(join(directory.path, 'packs'))).toEqual(['in-force.json']);
});

test('a draft of a killed process blocks changes for at most a minute', async () => {
  await using directory = temporaryDirectory();
  const draft = `${packStateFile(directory.path)}.new`;
  mkdirSync(join(directory.path, 'packs'));
  writeFileSync(draft, '');
  const change = () => changePackState(directory.path, (state) => withPublisher(state, ACME));
  expect(change).toThrow('another process changes the packs');
  utimesSync(draft, 0, Date.now() / 1000 - 61);
  expect(change().publishers).toHaveLength(1);
  expect(existsSync(draft)).toBeFalse();
  expect(readPackState(directory.path).publishers).toHaveLength(1);
});

const packOf = (name: string, version: number): InstalledPack => ({
  ...{ name, version, print: `${version}`.repeat(64), signer: ACME.fingerprint, installed: ACME.since },
});

test('two packs with the same name and version are stored in different files', () => {
  const [one, other] = ['0', '1'].map((digit) =>
    installedPackPath('/data', { ...packOf('a', 1), print: digit.repeat(64) }),
  );
  expect(one).toBe(`/data/packs/a-1-${'0'.repeat(16)}.pack`);
  expect(other).not.toBe(one);
});

test('a new version replaces the active pack of its name, and a rollback restores the old one and holds back the new', async () => {
  await using directory = temporaryDirectory();
  const start = readPackState(directory.path);
  const both = withPack(withPack(start, packOf('b', 1)), packOf('a', 1));
  expect(both.active.map(({ name }) => name)).toEqual(['a', 'b']);
  const newer = withPack(both, packOf('b', 2));
  expect(newer.active).toEqual([packOf('a', 1), packOf('b', 2)]);
  const rolledBack = packsBefore(newer);
  expect(rolledBack).toEqual({ ...both, withdrawn: [{ name: 'b', version: 2 }] });
  // Who installs it again means it.
  expect(rolledBack && withPack(rolledBack, packOf('b', 2)).withdrawn).toEqual([]);
  expect(packsBefore(start)).toBeNull();
});

test('a removed pack is held back at its latest version, and other packs stay active', async () => {
  await using directory = temporaryDirectory();
  const both = withPack(withPack(readPackState(directory.path), packOf('a', 1)), packOf('b', 1));
  const without = withoutPack(both, 'a');
  expect([without.active, without.withdrawn]).toEqual([[packOf('b', 1)], [{ name: 'a', version: 1 }]]);
  const again = withoutPack(withoutPack(withPack(without, packOf('a', 3)), 'a'), 'b');
  expect(again.withdrawn).toEqual([
    { name: 'a', version: 3 },
    { name: 'b', version: 1 },
  ]);
});

test('20 steps can be rolled back, the latest of them first', async () => {
  await using directory = temporaryDirectory();
  for (let version = 1; version <= 25; version++)
    changePackState(directory.path, (state) => withPack(state, packOf('a', version)));
  const { before } = readPackState(directory.path);
  expect(before.map(([pack]) => pack?.version)).toEqual(Array.from({ length: 20 }, (_, n) => 24 - n));
});

test('a revoked key is trusted again once the operator adds it again, and other keys are unchanged', async () => {
  await using directory = temporaryDirectory();
  const other = { ...ACME, fingerprint: 'b'.repeat(64), name: 'Other' };
  const both = withPublisher(withPublisher(readPackState(directory.path), ACME), other);
  const revoked = withoutPublisher(both, ACME.fingerprint, '2026-02-02T00:00:00.000Z');
  expect(revoked.publishers.map(({ name, revoked: since }) => [name, since])).toEqual([
    ['Acme', '2026-02-02T00:00:00.000Z'],
    ['Other', null],
  ]);
  const again = withPublisher(revoked, ACME);
  expect(again.publishers.map(({ name, revoked: since }) => [name, since])).toEqual([
    ['Other', null],
    ['Acme', null],
  ]);
});
