import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { closeSync, existsSync, openSync, readdirSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { PAGE_BYTES } from '#src/checks/store/file/create-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { breakRoot } from './break-root.ts';
import { openLog } from './open-log.ts';

const FIRST_PAGE = { ...EVERY_CHECK, limit: 50, cursor: null };
const CHILD = `${import.meta.dir}/append-child.ts`;

/** A directory in which a server was killed after 200 checks. */
async function killedServer(): Promise<ReturnType<typeof temporaryDirectory>> {
  const directory = temporaryDirectory();
  const child = Bun.spawn([process.execPath, CHILD, directory.path], { stdout: 'pipe', stderr: 'inherit' });
  let output = '';
  for await (const chunk of child.stdout) {
    output += Buffer.from(chunk).toString();
    if (output.split('\n').length > 200) child.kill('SIGKILL');
  }
  return directory;
}

function overwrite(path: string, position: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, position);
  closeSync(file);
}

/** Waits for an event in the log; the timeout of the test bounds it. */
function eventLogger(event: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const logger = createLogger('debug', (line) => {
    if (line.includes(`"event":"${event}"`)) resolve(line);
  });
  return { logger, promise };
}

test('a flipped bit in the write-ahead log loses only the commits after it', async () => {
  await using directory = await killedServer();
  const wal = `${directory.path}/public.sqlite-wal`;
  overwrite(wal, Math.floor(statSync(wal).size / 2), Buffer.from([0xff, 0x00, 0xff]));
  await using log = await openLog(directory.path);
  const kept = (await Array.fromAsync(log.read('public', EVERY_CHECK))).length;
  expect(kept).toBeGreaterThan(0);
  await log.append(sampleRecord());
  expect(await Array.fromAsync(log.read('public', EVERY_CHECK))).toHaveLength(kept + 1);
});

test.each(['deleted', 'garbled'])('recreates a shared-memory file that is %s', async (how) => {
  await using directory = await killedServer();
  const shm = `${directory.path}/public.sqlite-shm`;
  if (how === 'deleted') Bun.spawnSync(['rm', shm]);
  else writeFileSync(shm, Buffer.alloc(32_768, 0x5a));
  await using log = await openLog(directory.path);
  expect((await Array.fromAsync(log.read('public', EVERY_CHECK))).length).toBeGreaterThan(50);
});

test('reports a zeroed header and quarantines the file', async () => {
  await using directory = temporaryDirectory();
  {
    await using log = await openLog(directory.path);
    await log.append(sampleRecord());
  }
  overwrite(`${directory.path}/public.sqlite`, 0, Buffer.alloc(100));
  const replaced = eventLogger('log.replaced');
  await using log = await openLog(directory.path, { logger: replaced.logger });
  expect(await replaced.promise).toContain('file is not a database');
  expect((await log.page(FIRST_PAGE)).items).toEqual([]);
  expect(readdirSync(directory.path).filter((name) => /^public\.sqlite\.damaged-\w+$/.test(name))).toHaveLength(1);
});

test('finds and reports damage after an unclean stop, and goes on in a new file', async () => {
  await using directory = await killedServer();
  using database = new Database(`${directory.path}/public.sqlite`, { readwrite: true });
  database.query('pragma wal_checkpoint(truncate)').all();
  const root = database
    .query<{ rootpage: number }, []>("select rootpage from sqlite_schema where name = 'checks_by_decision'")
    .get();
  database.close(true);
  overwrite(`${directory.path}/public.sqlite`, ((root?.rootpage ?? 0) - 1) * PAGE_BYTES + 8, Buffer.alloc(64, 0xff));
  const damaged = eventLogger('log.damaged');
  await using log = await openLog(directory.path, { logger: damaged.logger, quickCheckDelayMs: 0 });
  expect(await damaged.promise).toContain('public.sqlite');
  await log.append(sampleRecord());
  await log.examine('public');
  expect((await Array.fromAsync(log.read('public', EVERY_CHECK))).length).toBeGreaterThan(50);
  await log.append(sampleRecord({ visibility: 'private' }));
});

test('reports an intact log after an unclean stop', async () => {
  await using directory = await killedServer();
  const sound = eventLogger('log.sound');
  await using log = await openLog(directory.path, { logger: sound.logger, quickCheckDelayMs: 0 });
  expect(await sound.promise).toContain('public.sqlite');
  await log.append(sampleRecord());
});

test('reports no damage if the check cannot run', async () => {
  await using directory = await killedServer();
  const path = `${directory.path}/public.sqlite`;
  const failed = eventLogger('log.check_failed');
  await using log = await openLog(directory.path, { logger: failed.logger, quickCheckDelayMs: 0 });
  renameSync(path, `${path}.away`);
  expect(await failed.promise).toContain(path);
  renameSync(`${path}.away`, path);
  await log.append(sampleRecord());
});

test('examines files after a week, whenever that began', async () => {
  await using directory = temporaryDirectory();
  await (await openLog(directory.path))[Symbol.asyncDispose]();
  const week = { now: () => Date.now() + 7 * 86_400_000, monotonicMs: () => 0 };
  const sound = eventLogger('log.sound');
  await using log = await openLog(directory.path, { logger: sound.logger, clock: week });
  expect(await sound.promise).toContain('public.sqlite');
  expect(log.notices()).toEqual([]);
});

test('replaces a file that another process found damaged', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await Promise.all(Array.from({ length: 200 }, () => log.append(sampleRecord())));
  breakRoot(`${directory.path}/public.sqlite`, 'checks_by_decision');
  {
    await using beside = await openLog(directory.path, { access: 'read' });
    await expect(Array.fromAsync(beside.read('public', EVERY_CHECK))).rejects.toThrow('is damaged');
  }
  await log.health();
  expect(await log.examine('public')).toContain('btreeInitPage');
  expect(await log.examine('public')).toBeNull();
  expect(await Array.fromAsync(log.read('public', EVERY_CHECK))).toHaveLength(200);
  expect(log.notices()).toEqual([expect.stringContaining('200 checks copied back. None is missing.')]);
});

test('does not check files after a clean stop', async () => {
  await using directory = temporaryDirectory();
  {
    await using log = await openLog(directory.path);
    await log.append(sampleRecord());
    expect(existsSync(`${directory.path}/serve.running`)).toBe(true);
  }
  expect(existsSync(`${directory.path}/serve.running`)).toBe(false);
});
