import { between, eq, inArray, lte, max, min, type SQL, sql } from 'drizzle-orm';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, domainBlocks } from '../file/schema.ts';
import { BLOCK_CHECKS, BUCKETS, blockOf, cellKey, domainHash, withoutChecks } from './block.ts';
import { gatherEntries } from './gather-entries.ts';
import { hostOfRow, indexedStarts } from './host-suffixes.ts';

type Log = Pick<LogFile, 'database' | 'db'>;

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
  const span = spanOf(log, block);
  if (span) db.update(domainBlocks).set(span).where(eq(domainBlocks.block, block)).run();
}

/** When the first and the last check of a block began; null where it has none. */
function spanOf({ db }: Log, block: number): { oldestMs: number; newestMs: number } | null {
  const { requestId } = checks;
  const { oldest, newest } =
    db
      .select({ oldest: min(requestId), newest: max(requestId) })
      .from(checks)
      .where(inBlock(block))
      .get() ?? {};
  return oldest && newest ? { oldestMs: requestIdMs(oldest), newestMs: requestIdMs(newest) } : null;
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
  removeBlock(log, block);
  const span = spanOf(log, block);
  if (!span) return;
  const entries = gatherEntries();
  for (const [id, decision, host, url] of rowsOf(log, block)) {
    const name = hostOfRow({ host, url });
    for (const start of indexedStarts(name)) entries.add(domainHash(name.text, start), id, decision);
  }
  const { database, db } = log;
  const values = { cell: sql.placeholder('cell'), entries: sql.placeholder('entries') };
  const insertCell = database.query<never, [number, Uint8Array]>(db.insert(checkDomains).values(values).toSQL().sql);
  for (const [bucket, cell] of entries.cells()) insertCell.run(cellKey(bucket, block), cell);
  db.insert(domainBlocks)
    .values({ block, ...span })
    .run();
}

type Row = [id: number, decision: number, host: string | null, url: string];

/** Drizzle writes the statement. To have it map each row would cost as much again as all the rest. */
function rowsOf({ database, db }: Log, block: number): Row[] {
  const { id, decision, host, url } = checks;
  const { sql: text } = db
    .select({ id, decision, host, url })
    .from(checks)
    .where(between(id, sql.placeholder('first'), sql.placeholder('last')))
    .toSQL();
  return database
    .query<Row, [number, number]>(text)
    .values(block * BLOCK_CHECKS, (block + 1) * BLOCK_CHECKS - 1) as Row[];
}

function removeBlock({ db }: Log, block: number): void {
  db.delete(checkDomains).where(cellsOf(block)).run();
  db.delete(domainBlocks).where(eq(domainBlocks.block, block)).run();
}
