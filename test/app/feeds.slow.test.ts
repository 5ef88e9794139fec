import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseUnmappedCidr } from '#src/core/base/addresses/ip.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { openStoredLists } from '#src/network/lists/stored/stored-list.ts';
import { openFeeds } from '#src/parts/feeds/feed/feeds.ts';
import { makeInThread } from '#src/parts/feeds/open-feeds.ts';
import { machineSlowness } from '#test/support/cpu-time.ts';
import { lurecheck } from '#test/support/executable.ts';
import { longestTurn, repeatedLongestTurn } from '#test/support/longest-turn.ts';
import { createRandom } from '#test/support/random.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { startServer } from '../service/server/running-server.ts';

const ENTRIES = 200_000;
const PULLS = 500;

/** Longest turn of the serving thread, in milliseconds of processor time: no request waits longer for a feed. */
const LONGEST_MS = 50;

/** Pulls a feed many times at once, in two processes, and returns the sizes that they got. */
async function pullAtOnce(folder: string, url: string): Promise<number[]> {
  const pulls = `url=${url}\noutput=/dev/null\nwrite-out="%{http_code} %{size_download}\\n"\n`;
  writeFileSync(join(folder, 'pulls'), pulls.repeat(PULLS / 2));
  const command = [
    'curl',
    '-sS',
    '--no-progress-meter',
    '--parallel',
    '--parallel-immediate',
    '--parallel-max',
    '250',
    '-K',
    join(folder, 'pulls'),
  ];
  const children = [0, 1].map(() => Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' }));
  const texts = await Promise.all(children.map(({ stdout }) => stdout.text()));
  const lines = texts
    .join('')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => (line.startsWith('200 ') ? Number(line.slice(4)) : Number.NaN));
}

test(`building feeds of ${ENTRIES} entries and serving ${PULLS} concurrent pulls of one does not block other requests`, async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const random = createRandom(30);
  const names = Array.from({ length: ENTRIES }, (_, at) => `${random.text(12, 'abcxyz019')}n${at}.example`);
  writeFileSync(join(path, 'feed.txt'), `${names.join('\n')}\n`);
  const dataDir = join(path, 'data');
  const imported = await lurecheck(['lists', 'import', 'feed', join(path, 'feed.txt'), '--yes', '--data-dir', dataDir]);
  expect(imported).toMatchObject({ exitCode: 0 });
  await using feeds = openFeeds({
    ...{ dataDir, isOn: () => true, clock: systemClock, logger: { info: () => {}, error: () => {} } },
    source: () => ({
      ...{ stamp: [], settings: { data_dir: dataDir, block_list: [], allow_list: [] }, fault: null, everyMs: null },
      ...{ digests: { block: [], allow: [] }, source: 'node-1', clockFloorMs: 0 },
    }),
    make: (task) => makeInThread({ ...task, log: null }, new AbortController().signal),
  });
  const peers = parseUnmappedCidr('127.0.0.0/8');
  if (typeof peers === 'string') throw new Error(peers);
  const served = { isOn: () => true, pull: feeds.pull, onPulled: () => {} };
  await using server = startServer({ feeds: served, feedPeers: () => [peers] });
  const url = `${server.url}/feeds/rpz`;

  // As the service does when the lists change: it reads them for checks, and makes the feeds.
  const made = await longestTurn(() =>
    Promise.all([openStoredLists(dataDir), feeds.pull('rpz'), feeds.pull('domains')]),
  );
  expect(made.result[1]?.lines).toBe(2 * ENTRIES + 4);
  expect(made.longestMs / machineSlowness()).toBeLessThan(LONGEST_MS);

  // What is measured is how the text is sent, not how the first requests are compiled.
  for (let at = 0; at < 500; at++) await fetch(url, { method: 'HEAD' });
  const pulled = await repeatedLongestTurn(LONGEST_MS, () => pullAtOnce(path, url));
  expect(pulled.result).toEqual(Array(PULLS).fill(made.result[1]?.text.length));
  expect(pulled.longestMs).toBeLessThan(LONGEST_MS);
});
