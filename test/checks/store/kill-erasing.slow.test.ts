import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { filesWith } from './files-of.ts';
import { openLog } from './open-log.ts';
import { expectSound } from './sound.ts';

const CHILD = `${import.meta.dir}/erase-child.ts`;
const START_MS = Date.UTC(2026, 0, 1);
const WORD = 'zx81qqtrace';
const CHECKS = 9000;
const KEPT = 500;

/** Logs many checks that are to be forgotten, and then some that stay. Resolves with the ids of those. */
async function fill(directory: string): Promise<string[]> {
  await using log = await openLog(directory);
  const records = Array.from({ length: CHECKS + KEPT }, (_, i) =>
    sampleRecord({
      url: i < CHECKS ? `https://h${i % 50}.${WORD}.example/` : `https://h${i % 50}.kept.example/`,
      atMs: START_MS + i,
      result: { decision: i % 2 === 0 ? 'block' : 'allow' },
    }),
  );
  await Promise.all(records.map((record) => log.append(record)));
  return records.slice(CHECKS).map(({ result }) => result.request_id);
}

function left(directory: string): number {
  using database = new Database(`${directory}/public.sqlite`);
  return database.query<{ n: number }, []>('select count(*) as n from checks').get()?.n ?? 0;
}

/** Starts the child and kills it as soon as it has deleted another few checks, in the middle of the rest. */
async function killInTheMiddle(directory: string, args: readonly string[]): Promise<void> {
  const before = left(directory);
  const child = Bun.spawn([process.execPath, CHILD, directory, ...args], { stdout: 'inherit', stderr: 'inherit' });
  while (child.exitCode === null && left(directory) > before - 300) await Bun.sleep(1);
  child.kill('SIGKILL');
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
}

async function expectKept(directory: string, kept: readonly string[]): Promise<void> {
  await using log = await openLog(directory, { access: 'read' });
  const found = await Promise.all(kept.map((id) => log.find('public', id)));
  expect(found.filter((entry) => entry === null)).toEqual([]);
  expect(log.notices()).toEqual([]);
}

test.each([
  ['purge', [String(START_MS + CHECKS)]],
  ['deletion', []],
])('a killed %s has completed a part of its work, and a later one completes the rest', async (how, args) => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const kept = await fill(path);
  if (how === 'deletion') {
    await using log = await openLog(path, { access: 'read' });
    log.deletions.ask('public', { by: 'domain', wanted: `${WORD}.example` });
  }
  for (let round = 0; round < 4; round++) {
    const before = left(path);
    await killInTheMiddle(path, args);
    expect(left(path)).toBeLessThan(before);
    expect(left(path)).toBeGreaterThan(KEPT);
    expectSound(`${path}/public.sqlite`);
    await expectKept(path, kept);
  }
  const rest = left(path) - KEPT;
  {
    await using log = await openLog(path);
    expect(log.notices()).toEqual([]);
    if (how === 'purge') expect(await log.purge('public', START_MS + CHECKS)).toBe(rest);
    // All that went is counted, whoever deleted it.
    else expect(await log.deletions.finish('public')).toMatchObject([{ removed: CHECKS }]);
    expect((await Array.fromAsync(log.read('public', EVERY_CHECK))).map(({ result }) => result.request_id)).toEqual(
      kept.toReversed(),
    );
    expect(filesWith(path, WORD)).toEqual([]);
  }
  expectSound(`${path}/public.sqlite`);
  await expectKept(path, kept);
});
