import { between, count, eq, inArray, lte, max, min, type SQL, sql } from 'drizzle-orm';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, domainBlocks } from '../file/schema.ts';
import { BLOCK_CHECKS, BUCKETS, blockOf, cellKey, domainHash, withoutChecks } from './block.ts';
import { type BlockEntries, gatherEntries } from './gather-entries.ts';
import { hostOfRow, indexedStarts } from './host-suffixes.ts';

type Log = Pick<LogFile, 'database' | 'db'>;

/** Check as it enters the index. */
export interface IndexedCheck {
  readonly id: number;
  readonly requestId: string;
  /** Its place in `DECISIONS`. */
  readonly decision: number;
  readonly host: string | null;
  readonly url: string;
}

/** Index of the blocks that checks complete, in the caller's transaction. */
export interface CompletedBlocks {
  /**
   * Adds checks that were just inserted, with ids that increment.
   *
   * @param newest the latest check before them; null if there was none
   */
  add(newest: { readonly id: number; readonly requestId: string } | null, checks: readonly IndexedCheck[]): void;
}

/** Entries of an incomplete block, gathered as its checks are inserted. */
interface Gathered {
  readonly block: number;
  readonly entries: BlockEntries;
  checks: number;
}

/**
 * Creates the index of completed blocks. One sorted write for thousands of checks costs a tenth of updating an index with each
 * check. Entries are gathered with each insertion, since reading a block again would stall the commit that completes it; that is
 * done only if something else changed the block meanwhile: another process, a deletion or a transaction that was rolled back.
 */
export function createCompletedBlocks(log: Log): CompletedBlocks {
  let gathered: Gathered | null = null;
  let last: Pick<IndexedCheck, 'id' | 'requestId'> | null = null;

  function gather(check: IndexedCheck): void {
    const block = blockOf(check.id);
    if (gathered?.block !== block) gathered = { block, entries: gatherEntries(), checks: 0 };
    addTo(gathered.entries, check);
    gathered.checks++;
  }

  return {
    add(newest, checks) {
      // The latest check is the last one that was gathered, unless something else added or removed checks.
      if (newest?.id !== last?.id || newest?.requestId !== last?.requestId) gathered = null;
      const [first] = checks;
      if (!first) return;
      let block = blockOf(newest === null ? first.id : newest.id + 1);
      for (const check of checks) {
        // If the latest checks were deleted, their block ends without a check at its end.
        for (; block < blockOf(check.id); block++) indexBlock(log, block, gathered);
        gather(check);
        last = check;
      }
      for (; block < blockOf((last?.id ?? 0) + 1); block++) indexBlock(log, block, gathered);
    },
  };
}

function addTo(entries: BlockEntries, { id, decision, host, url }: Omit<IndexedCheck, 'requestId'>): void {
  const name = hostOfRow({ host, url });
  for (const start of indexedStarts(name)) entries.add(domainHash(name.text, start), id, decision);
}

/** Removes the index of the blocks whose checks are all removed, in the transaction that removed all up to `lastId`. */
export function unindexBlocks(log: Log, lastId: number): void {
  for (const block of indexedUpTo(log, blockOf(lastId + 1) - 1)) removeBlock(log, block);
}

/** Rebuilds the index of the block that holds the oldest checks, in the caller's transaction. */
export function unindexOldest(log: Log): void {
  const oldest = log.db.select({ id: checks.id }).from(checks).orderBy(checks.id).limit(1).get();
  const left = oldest ? blockOf(oldest.id) : Number.MAX_SAFE_INTEGER;
  for (const block of indexedUpTo(log, left)) {
    if (block === left) indexBlock(log, block);
    else removeBlock(log, block);
  }
}

/** Removes deleted checks of a block from the index, in the caller's transaction. */
export function unindexChecks(log: Log, block: number, ids: ReadonlySet<number>): void {
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
  if (span)
    db.update(domainBlocks)
      .set({ oldestMs: span.oldestMs, newestMs: span.newestMs })
      .where(eq(domainBlocks.block, block))
      .run();
}

/** Returns when the first and the last check of a block began, and their number; null if it has none. */
function spanOf({ db }: Log, block: number): { oldestMs: number; newestMs: number; count: number } | null {
  const { requestId } = checks;
  const found = db
    .select({ oldest: min(requestId), newest: max(requestId), count: count() })
    .from(checks)
    .where(inBlock(block))
    .get();
  if (!found?.oldest || !found.newest) return null;
  return { oldestMs: requestIdMs(found.oldest), newestMs: requestIdMs(found.newest), count: found.count };
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

/** Indexes a block in the caller's transaction, from its gathered entries if they are complete. */
export function indexBlock(log: Log, block: number, gathered: Gathered | null = null): void {
  removeBlock(log, block);
  const span = spanOf(log, block);
  if (!span) return;
  const { count: checks, ...bounds } = span;
  const isWhole = gathered?.block === block && gathered.checks === checks;
  const entries = isWhole ? gathered.entries : readEntries(log, block);
  const { database, db } = log;
  const values = { cell: sql.placeholder('cell'), entries: sql.placeholder('entries') };
  const insertCell = database.query<never, [number, Uint8Array]>(db.insert(checkDomains).values(values).toSQL().sql);
  for (const [bucket, cell] of entries.cells()) insertCell.run(cellKey(bucket, block), cell);
  db.insert(domainBlocks)
    .values({ block, ...bounds })
    .run();
}

function readEntries(log: Log, block: number): BlockEntries {
  const entries = gatherEntries();
  for (const [id, decision, host, url] of rowsOf(log, block)) addTo(entries, { id, decision, host, url });
  return entries;
}

type Row = [id: number, decision: number, host: string | null, url: string];

/** The statement comes from Drizzle; mapping each row with it would double the cost. */
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
