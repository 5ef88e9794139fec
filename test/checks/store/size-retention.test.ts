import { expect, test } from 'bun:test';
import { PAGE_BYTES } from '#src/checks/store/file/create-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { lastBeyond } from '#src/checks/store/upkeep/log-size.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { filesOf } from './files-of.ts';
import { openLog } from './open-log.ts';

const MIB = 1024 * 1024;
const NO_BOUNDS = { rows: 0, bytes: 0 };
/** A thousand checks, from the eleventh on, of a page each. */
const extent = { oldestId: 11, checks: 1000, usedPages: 1000, freePages: 0, pageBytes: PAGE_BYTES };

test('removes nothing without bounds or within them', () => {
  expect(lastBeyond(extent, NO_BOUNDS, 0)).toBe(0);
  expect(lastBeyond(extent, { rows: 1000, bytes: 16 * MIB }, 0)).toBe(0);
});

test('removes the oldest checks beyond a number, and a few more', () => {
  for (const rows of [999, 500, 10, 1]) {
    const left = 1010 - lastBeyond(extent, { ...NO_BOUNDS, rows }, 0);
    expect(left).toBeLessThanOrEqual(rows);
    expect(left).toBeGreaterThanOrEqual(Math.floor((rows * 31) / 32));
  }
});

test('removes the oldest checks beyond a size, but never the latest', () => {
  const left = (bytes: number, missing = 0) => 1010 - lastBeyond(extent, { ...NO_BOUNDS, bytes }, missing);
  expect(left(8 * MIB) * PAGE_BYTES).toBeLessThanOrEqual(6 * MIB);
  expect(left(8 * MIB) * PAGE_BYTES).toBeGreaterThan(5.6 * MIB);
  expect(left(1)).toBe(100);
  expect(left(0, MIB) * PAGE_BYTES).toBeLessThanOrEqual(1000 * PAGE_BYTES - MIB);
  expect(left(0, 100 * MIB)).toBe(100);
});

test('removes nothing from an empty log', () => {
  const empty = { ...extent, oldestId: 0, checks: 0, usedPages: 10 };
  expect(lastBeyond(empty, { rows: 1, bytes: 1 }, MIB)).toBe(0);
});

test('a trimmed log retains the latest checks within its size', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const page = { title: 'a long title '.repeat(30), forms: [] };
  await Promise.all(Array.from({ length: 3000 }, (_, i) => log.append(sampleRecord({ atMs: i, details: { page } }))));
  const bytes = Math.floor(0.8 * log.size('public').usedBytes);
  let removed = 0;
  for (let more = -1; more !== 0; removed += more) more = await log.trim('public', { ...NO_BOUNDS, bytes }, 0);
  expect(removed).toBeGreaterThan(0);
  expect(await log.trim('private', NO_BOUNDS, 0)).toBe(0);
  const kept = (await Array.fromAsync(log.read('public', EVERY_CHECK))).map(({ result }) =>
    Date.parse(result.timestamp),
  );
  expect(kept.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 3000 - removed }, (_, i) => removed + i));
  const files = filesOf(directory.path);
  const size = (files.get('public.sqlite')?.length ?? 0) + (files.get('public.sqlite-wal')?.length ?? 0);
  expect(size).toBeLessThanOrEqual(bytes);
});
