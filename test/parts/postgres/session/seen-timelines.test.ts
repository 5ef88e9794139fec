import { expect, test } from 'bun:test';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSeenTimelines } from '#src/parts/postgres/session/server-guard.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('the highest timeline of each cluster survives a restart', async () => {
  await using directory = temporaryDirectory();
  const seen = openSeenTimelines(directory.path);
  expect(seen.highestOf('a')).toBe(0);
  for (const [cluster, timeline] of [
    ['a', 1],
    ['a', 3],
    ['a', 2],
    ['b', 1],
    ['c', 0],
    ['', 5],
  ] as const)
    seen.note(cluster, timeline);
  for (const one of [seen, openSeenTimelines(directory.path)])
    expect(['a', 'b', 'c', ''].map((cluster) => one.highestOf(cluster))).toEqual([3, 1, 0, 0]);
  expect(readdirSync(directory.path)).toEqual(['timelines.json']);
  expect(statSync(join(directory.path, 'timelines.json')).mode & 0o777).toBe(0o600);
});

test('without its folder nothing is written, and what another process saw is kept', async () => {
  await using directory = temporaryDirectory();
  const nowhere = openSeenTimelines(join(directory.path, 'none'));
  nowhere.note('a', 2);
  expect([nowhere.highestOf('a'), readdirSync(directory.path)]).toEqual([2, []]);
  const [service, command] = [openSeenTimelines(directory.path), openSeenTimelines(directory.path)];
  service.note('a', 3);
  command.note('b', 2);
  const next = openSeenTimelines(directory.path);
  expect(['a', 'b'].map(next.highestOf)).toEqual([3, 2]);
});

test.each(['', 'null', '7', '{"a": "3", "b": 1.5}'])('a file that contains %p is ignored', async (text) => {
  await using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'timelines.json'), text);
  const seen = openSeenTimelines(directory.path);
  seen.note('a', 1);
  expect([seen.highestOf('a'), seen.highestOf('b')]).toEqual([1, 0]);
});
