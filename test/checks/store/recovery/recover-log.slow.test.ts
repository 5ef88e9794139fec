import { expect, test } from 'bun:test';
import { cpSync, readdirSync } from 'node:fs';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { longUrls } from '../long-urls.ts';
import { openLog } from '../open-log.ts';
import { expectSound } from '../sound.ts';
import { DAMAGE } from './damage-kinds.ts';

const CHECKS = 3000;
const START_MS = Date.UTC(2026, 0, 1);

/** A directory with many checks, some of which take more than a page. */
const filled = (async () => {
  const directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  for (let from = 0; from < CHECKS; from += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, i) => log.append(record(from + i))));
  }
  return directory;
})();

function record(i: number) {
  return sampleRecord({
    url: `https://www.site${i % 100}.example/${i}`,
    atMs: START_MS + i * 1000,
    result: { decision: i % 5 === 0 ? 'block' : 'allow', malicious_probability: (i % 97) / 97 },
    ...(i % 200 === 7 && { details: { unwrapped_urls: longUrls(24) } }),
  });
}

async function idsIn(log: LocalLog): Promise<string[]> {
  const entries = await Array.fromAsync(log.read('public', EVERY_CHECK, 2000));
  return entries.map(({ result }) => result.request_id);
}

test.each(Object.entries(DAMAGE))('goes on after %s, and copies back what can be read', async (_, [harm, most]) => {
  await using directory = temporaryDirectory();
  cpSync((await filled).path, directory.path, { recursive: true });
  const path = `${directory.path}/public.sqlite`;
  harm(path);
  let before: string[];
  {
    await using log = await openLog(directory.path);
    // While it serves: no check is refused, whatever the damage.
    await Promise.all(Array.from({ length: 50 }, (_, i) => log.append(record(CHECKS + i))));
    await log.examine('public');
    await log.append(record(CHECKS + 50));
    before = await idsIn(log);
    const notice = log.notices().join();
    const lost = Math.max(0, CHECKS + 51 - before.length);
    expect(notice).toContain(
      lost === 0 ? 'None is missing.' : `About ${lost === 1 ? '1 check is' : `${lost} checks are`} missing.`,
    );
  }
  expect(new Set(before).size).toBe(before.length);
  expect(before.length).toBeGreaterThanOrEqual(CHECKS + 51 - most);
  expect(readdirSync(directory.path).filter((name) => /^public\.sqlite\.damaged-\w+$/.test(name))).toHaveLength(1);
  expect(readdirSync(directory.path).filter((name) => name.endsWith('.recovering'))).toEqual([]);
  expectSound(path);
  await using log = await openLog(directory.path);
  expect(await idsIn(log)).toEqual(before);
});
