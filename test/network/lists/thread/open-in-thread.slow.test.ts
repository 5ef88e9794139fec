import { expect, test } from 'bun:test';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { NamedListError } from '#src/network/lists/settings.ts';
import { indexFileOf, readIndexFile } from '#src/network/lists/stored/index-file.ts';
import { listsFolder, readListState } from '#src/network/lists/stored/list-state.ts';
import { openNamedList, openVersion } from '#src/network/lists/thread/open-in-thread.ts';
import { lurecheck } from '#test/support/executable.ts';
import { repeatedLongestTurn } from '#test/support/longest-turn.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ENTRIES = 200_000;

/** Longest turn of the serving thread while a list is taken over, in milliseconds of processor time. */
const LONGEST_MS = 10;

const LINES = Array.from({ length: ENTRIES }, (_, at) =>
  at % 2 === 0
    ? `host-${at}.example.org`
    : `http://host-${at % 999}.example.net:${at % 3 === 0 ? 8080 : 80}/path-${at}?q=1`,
);
const TEXT = `${LINES.join('\n')}\n`;
const ASKED = Array.from({ length: 500 }, (_, at) => {
  const line = LINES[(at * 7919) % ENTRIES] ?? '';
  return targetOf(line.startsWith('http') ? `${line}&more` : `http://below.${line}/x`);
});

test(`a list of ${ENTRIES} entries that a setting names is taken over in short turns, and answers as one read here`, async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'block.txt');
  writeFileSync(path, TEXT);
  const { result, longestMs } = await repeatedLongestTurn(LONGEST_MS, () => openNamedList('block_list', path));
  expect(longestMs).toBeLessThan(LONGEST_MS);
  const { name, index } = result;
  const here = indexList(parseList(TEXT));
  expect([name, index.size, index.digest]).toEqual(['block.txt', ENTRIES, here.digest]);
  const found = ASKED.map((target) => index.find(target));
  expect(found).toEqual(ASKED.map((target) => here.find(target)));
  expect(found).not.toContain(null);
});

test('a large list with an invalid line is refused as a small one is', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'block.txt');
  writeFileSync(path, `${TEXT}not a host\n`);
  const opening = openNamedList('block_list', path);
  await expect(opening).rejects.toBeInstanceOf(NamedListError);
  await expect(opening).rejects.toThrow(`line ${ENTRIES + 1}: "not a host" contains white space`);
  await expect(openNamedList('block_list', join(directory.path, 'none'))).rejects.toThrow('which does not exist');
});

test('a large stored list is taken over in short turns, and a damaged one is refused', async () => {
  await using directory = temporaryDirectory();
  const [dataDir, path] = [directory.path, join(directory.path, 'feed.txt')];
  writeFileSync(path, TEXT);
  const { exitCode } = await lurecheck(['lists', 'import', 'feed', path, '--yes', '--data-dir', dataDir]);
  expect(exitCode).toBe(0);
  const [version] = (await readListState(dataDir)).lists;
  if (version === undefined) throw new Error('no list was imported');
  const { result, longestMs } = await repeatedLongestTurn(LONGEST_MS, () => openVersion(dataDir, version));
  expect(longestMs).toBeLessThan(LONGEST_MS);
  const found = ASKED.map((target) => result.find(target, Date.now()));
  expect(found).not.toContain(null);

  // The second start reads the index file, unless it is damaged.
  const again = await repeatedLongestTurn(LONGEST_MS, () => openVersion(dataDir, version));
  expect(again.longestMs).toBeLessThan(LONGEST_MS);
  const index = indexFileOf(dataDir, version.file);
  const bytes = readFileSync(index);
  expect((await readIndexFile(dataDir, version))?.keys.texts.size).toBe(ENTRIES);
  for (const damage of [bytes.subarray(0, -1), bytes.subarray(0, 100), bytes.fill(0xff, bytes.length - 9)]) {
    writeFileSync(index, damage);
    expect(await readIndexFile(dataDir, version)).toBeNull();
    const opened = await openVersion(dataDir, version);
    expect(ASKED.map((target) => opened.find(target, Date.now()))).toEqual(found);
  }
  appendFileSync(join(listsFolder(dataDir), version.file), 'x');
  await expect(openVersion(dataDir, version)).rejects.toThrow('the list feed is damaged');
});
