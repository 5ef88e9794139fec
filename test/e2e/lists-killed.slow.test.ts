import { expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { openStoredLists } from '#src/network/lists/stored/stored-list.ts';
import { executable, lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ENTRIES = 20_000;

/** What lies in the folder of the lists, by which the moments of an import are told apart. */
const MOMENTS: readonly (readonly [when: string, isNow: (names: readonly string[]) => boolean])[] = [
  ['before anything was written', () => true],
  ['while the entries are written', (names) => names.some((name) => /^\.[\da-f-]+\.new$/.test(name))],
  ['when the entries are written', (names) => names.filter((name) => name.endsWith('.list')).length > 1],
  ['when it is about to be put in force', (names) => names.includes('.changing')],
  ['while it is put in force', (names) => names.includes('in-force.json.new')],
];

test.each(MOMENTS)(
  'an import that is killed %s leaves either the previous or the new list active',
  async (_, isNow) => {
    await using directory = temporaryDirectory();
    const { path } = directory;
    await lurecheck(['lists', 'add', 'feed', 'old.example', '--data-dir', path]);
    const file = join(path, 'feed.txt');
    writeFileSync(file, Array.from({ length: ENTRIES }, (_, i) => `h${i}.example`).join('\n'));
    const args = ['lists', 'import', 'feed', file, '--yes', '--data-dir', path];
    const child = Bun.spawn([await executable(), ...args], { stdio: ['ignore', 'ignore', 'ignore'] });
    while (child.exitCode === null && !isNow(readdirSync(join(path, 'lists')))) await new Promise(setImmediate);
    child.kill('SIGKILL');
    await child.exited;
    const { lists } = await readListState(path);
    expect([1, ENTRIES]).toContain(lists[0]?.entries ?? 0);
    expect(await openStoredLists(path)).toHaveLength(1);
    // What it left behind is in nobody's way.
    const added = await lurecheck(['lists', 'add', 'feed', 'new.example', '--data-dir', path]);
    expect([added.exitCode, (await readListState(path)).lists[0]?.entries]).toEqual([0, (lists[0]?.entries ?? 0) + 1]);
  },
);
