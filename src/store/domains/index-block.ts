import { between, eq, inArray, lte, max, min, type SQL } from 'drizzle-orm';
import { requestIdMs } from '#src/base/request-id.ts';
import { DECISIONS } from '#src/record/check-result.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, domainBlocks } from '../file/schema.ts';
import {
  BLOCK_CHECKS,
  BUCKETS,
  blockOf,
  bucketOf,
  cellKey,
  domainHash,
  entryOf,
  withoutChecks,
  writeCell,
} from './block.ts';
import { hostOfRow, indexedSuffixes } from './host-suffixes.ts';

type Log = Pick<LogFile, 'db'>;

/**
 * Indexes the domains of the blocks that are complete with the checks from `firstId` to `lastId`, inside the transaction of
 * the caller. One sorted write for thousands of checks costs a tenth of as many into an index that is always complete.
 */
export function indexCompleted(log: Log, firstId: number, lastId: number): void {
  for (let block = blockOf(firstId); block < blockOf(lastId + 1); block++) indexBlock(log, block);
}

/** Forgets the blocks of which no check is left, inside the transaction of a caller who has removed all up to `lastId`. */
export function forgetBlocks(log: Log, lastId: number): void {
  for (const block of indexedUpTo(log, blockOf(lastId + 1) - 1)) removeBlock(log, block);
}

/** Forgets what is gone of the block that the oldest checks stand in, inside the transaction of the caller. */
export function forgetPart(log: Log): void {
  const oldest = log.db.select({ id: checks.id }).from(checks).orderBy(checks.id).limit(1).get();
  const left = oldest ? blockOf(oldest.id) : Number.MAX_SAFE_INTEGER;
  for (const block of indexedUpTo(log, left)) {
    if (block === left) indexBlock(log, block);
    else removeBlock(log, block);
  }
}

/** Forgets some checks of a block, which have been deleted, inside the transaction of the caller. */
export function forgetChecks(log: Log, block: number, ids: ReadonlySet<number>): void {
  const { db } = log;
  const first = db.select({ id: checks.id }).from(checks).where(inBlock(block)).limit(1).get();
  if (!first) {
    removeBlock(log, block);
    return;
  }
  for (const { cell, entries } of db.select().from(checkDomains).where(cellsOf(block)).all()) {
    const left = withoutChecks(entries, ids, block);
    if (left === entries) continue;
    if (left.length === 0) db.delete(checkDomains).where(eq(checkDomains.cell, cell)).run();
    else
      db.update(checkDomains)
        .set({ entries: asBuffer(left) })
        .where(eq(checkDomains.cell, cell))
        .run();
  }
  const times = db
    .select({ oldest: min(checks.requestId), newest: max(checks.requestId) })
    .from(checks)
    .where(inBlock(block))
    .get();
  if (!times?.oldest || !times.newest) return;
  const { oldest, newest } = times;
  const span = { oldestMs: requestIdMs(oldest), newestMs: requestIdMs(newest) };
  db.update(domainBlocks).set(span).where(eq(domainBlocks.block, block)).run();
}

function inBlock(block: number): SQL {
  return between(checks.id, block * BLOCK_CHECKS, (block + 1) * BLOCK_CHECKS - 1);
}

function cellsOf(block: number): SQL {
  return inArray(
    checkDomains.cell,
    Array.from({ length: BUCKETS }, (_, bucket) => cellKey(bucket, block)),
  );
}

function asBuffer({ buffer }: Uint8Array): Buffer {
  return Buffer.from(buffer);
}

function indexedUpTo({ db }: Log, last: number): number[] {
  const due = db.select({ block: domainBlocks.block }).from(domainBlocks).where(lte(domainBlocks.block, last)).all();
  return due.map(({ block }) => block);
}

function indexBlock(log: Log, block: number): void {
  const { db } = log;
  const { id, requestId, decision, host, url } = checks;
  const rows = db.select({ id, requestId, decision, host, url }).from(checks).where(inBlock(block)).all();
  removeBlock(log, block);
  if (rows.length === 0) return;
  const cells = Array.from({ length: BUCKETS }, (): number[] => []);
  let oldestMs = Infinity;
  let newestMs = 0;
  for (const row of rows) {
    const atMs = requestIdMs(row.requestId);
    oldestMs = Math.min(oldestMs, atMs);
    newestMs = Math.max(newestMs, atMs);
    for (const domain of indexedSuffixes(hostOfRow(row))) {
      const hash = domainHash(domain);
      cells[bucketOf(hash)]?.push(entryOf(hash, row.id, DECISIONS.indexOf(row.decision)));
    }
  }
  for (const [bucket, entries] of cells.entries()) {
    if (entries.length === 0) continue;
    const cell = { cell: cellKey(bucket, block), entries: asBuffer(writeCell(entries)) };
    db.insert(checkDomains).values(cell).run();
  }
  db.insert(domainBlocks).values({ block, oldestMs, newestMs }).run();
}

function removeBlock({ db }: Log, block: number): void {
  db.delete(checkDomains).where(cellsOf(block)).run();
  db.delete(domainBlocks).where(eq(domainBlocks.block, block)).run();
}
