import { expect, test } from 'bun:test';
import { closeSync, cpSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { readDamagedLog } from '#src/checks/store/recovery/damaged-log.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { breakRoot } from '../break-root.ts';
import { holdCheckpoints } from '../hold-checkpoints.ts';
import { openLog } from '../open-log.ts';
import { expectSound } from '../sound.ts';

const START_MS = Date.UTC(2026, 0, 1);

async function fill(log: LocalLog, count: number, visibility: 'public' | 'private' = 'public'): Promise<void> {
  const records = Array.from({ length: count }, (_, i) =>
    sampleRecord({ visibility, client: 'c', url: `https://site${i % 10}.example/${i}`, atMs: START_MS + i * 1000 }),
  );
  for (const record of records) await log.append(record);
}

const idsIn = async (log: LocalLog) =>
  (await Array.fromAsync(log.read('public', EVERY_CHECK))).map(({ result }) => result.request_id);

test('does not bring back what was deleted on request, nor a check twice', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await fill(log, 200);
  const [newest = ''] = await idsIn(log);
  const file = `${directory.path}/public.sqlite.copy`;
  log.backUp('public', file);
  log.deletions.ask('public', { by: 'domain', wanted: 'site3.example' });
  log.deletions.ask('public', { by: 'id', wanted: newest });
  log.deletions.ask('public', { by: 'before', wanted: new Date(START_MS + 50_000).toISOString() });
  await log.deletions.finish('public');
  const left = await idsIn(log);
  expect(left).toHaveLength(134);
  expect(await log.recover('public', file)).toMatchObject({ copied: 0, present: 134, erased: 66, lost: 0 });
  expect(await idsIn(log)).toEqual(left);
  // A later check of the same site is another one.
  await log.append(sampleRecord({ url: 'https://site3.example/', atMs: Date.now() + 1000 }));
  expect(await idsIn(log)).toHaveLength(135);
  expectSound(`${directory.path}/public.sqlite`);
});

test('continues after a recovery that did not end, and lets a walk wait for what comes back', async () => {
  await using directory = temporaryDirectory();
  const first = await openLog(directory.path);
  await fill(first, 400);
  const begun = await first.walk({ ...EVERY_CHECK, limit: 100, after: '' });
  breakRoot(`${directory.path}/public.sqlite`, 'checks_by_decision');
  await expect(first.page({ ...EVERY_CHECK, limit: 1, cursor: null })).rejects.toThrow('cannot be read');
  await first.append(sampleRecord());
  const [, , , ...walked] = [
    ...begun.items,
    ...(await first.walk({ ...EVERY_CHECK, limit: 500, after: begun.next })).items,
  ];
  expect(walked.length).toBeLessThan(400);
  await first[Symbol.asyncDispose]();
  await using log = await openLog(directory.path);
  await log.examine('public');
  expect(await idsIn(log)).toHaveLength(401);
  const rest = await log.walk({ ...EVERY_CHECK, limit: 500, after: begun.next });
  expect([rest.items.length, new Set([...begun.items, ...rest.items].map((item) => item.request_id)).size]).toEqual([
    301, 401,
  ]);
});

test('does not copy private checks into the public log', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await fill(log, 3, 'private');
  const file = `${directory.path}/public.sqlite.copy`;
  log.backUp('private', file);
  await expect(log.recover('public', file)).rejects.toThrow('private checks, which must not come into the public log');
  expect(await idsIn(log)).toEqual([]);
});

test('appends checks whose ids others have', async () => {
  await using directory = temporaryDirectory();
  await using other = temporaryDirectory();
  await using log = await openLog(directory.path);
  await using source = await openLog(other.path);
  await Promise.all([fill(log, 20), fill(source, 30)]);
  const file = `${other.path}/public.sqlite.copy`;
  source.backUp('public', file);
  expect(await log.recover('public', file)).toMatchObject({ copied: 30, present: 0 });
  expect(await log.recover('public', file)).toMatchObject({ copied: 0, present: 30 });
  expectSound(`${directory.path}/public.sqlite`);
});

/** A log of which all is in the write-ahead log. */
async function walOnly(directory: string): Promise<string> {
  await using log = await openLog(`${directory}/data`);
  const path = `${directory}/data/public.sqlite`;
  using _ = holdCheckpoints(path);
  await fill(log, 100);
  for (const suffix of ['', '-wal']) cpSync(path + suffix, `${directory}/copy${suffix}`);
  return `${directory}/copy`;
}

function countIn(path: string): number {
  using damaged = readDamagedLog(path);
  const ids = new Set<number>();
  for (let rows = damaged.next(); rows !== null; rows = damaged.next()) for (const { id } of rows.checks) ids.add(id);
  return ids.size;
}

test.each([
  ['without its file', (path: string) => renameSync(path, `${path}.away`), 100],
  ['with damage in its second half', (path: string) => scratch(`${path}-wal`, 0.75, 64), 98],
  ['with a damaged header', (path: string) => scratch(`${path}-wal`, 0, 32), 100],
  ['with a damaged end', (path: string) => scratch(`${path}-wal`, 0.999, 64), 98],
])('reads a write-ahead log %s', async (_, harm, least) => {
  await using directory = temporaryDirectory();
  const path = await walOnly(directory.path);
  expect(countIn(path)).toBe(100);
  harm(path);
  expect(countIn(path)).toBeGreaterThanOrEqual(least);
});

function scratch(path: string, part: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, Math.floor(statSync(path).size * part));
  closeSync(file);
}
