import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { raiseClockFloor, readClockFloor } from '#src/admin/packs/clock-floor.ts';
import { changePackState, packStateFile, readPackState, withPublisher } from '#src/admin/packs/pack-state.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ACME = { fingerprint: 'a'.repeat(64), key: 'a', name: 'Acme', since: '2026-01-01T00:00:00.000Z' };

test('the newest time that was seen only ever grows, and little steps are not worth a write', async () => {
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
  'a file of the time that says %p says nothing',
  async (text) => {
    await using directory = temporaryDirectory();
    mkdirSync(join(directory.path, 'packs'));
    writeFileSync(join(directory.path, 'packs/clock.json'), text);
    expect(readClockFloor(directory.path)).toBeNull();
  },
);

test('a file that does not say which packs are in force is told, and never written over', async () => {
  await using directory = temporaryDirectory();
  const path = packStateFile(directory.path);
  mkdirSync(join(directory.path, 'packs'));
  writeFileSync(path, '{"layout": 2}');
  expect(() => readPackState(directory.path)).toThrow(`${path} does not say which packs are in force`);
  expect(() => changePackState(directory.path, (state) => withPublisher(state, ACME))).toThrow('does not say');
  expect(await Bun.file(path).text()).toBe('{"layout": 2}');
  expect(readdirSync(join(directory.path, 'packs'))).toEqual(['in-force.json']);
});

test('what a killed process left behind keeps nobody away for longer than a minute', async () => {
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
