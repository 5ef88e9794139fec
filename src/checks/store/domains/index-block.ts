import { between, count, eq, inArray, lte, max, min, type SQL, sql } from 'drizzle-orm';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, domainBlocks } from '../file/schema.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import {
  BLOCK_CHECKS,
  BUCKETS,
  blockOf,
  bucketOf,
  cellKey,
  domainHash,
  MAX_BLOCKS,
  placeInBlock,
  withoutChecks,
  writeCell,
} from './block.ts';
import { hostOfRow, indexedStarts, MAX_INDEXED_NAMES } from './host-suffixes.ts';

/** Index entries of a block in flat arrays: thousands of small objects would dominate the cost. */
interface BlockEntries {
  /** Adds a domain of a check by its hash. Checks come in the order of their ids. */
  add(hash: number, id: number, decision: number): void;
  /** Returns the cells of all buckets that have an entry. */
  cells(): Iterable<readonly [bucket: number, cell: Uint8Array]>;
}

/** Parallel arrays of hashes and places. */
interface Entries {
  readonly hashes: Uint32Array;
  readonly places: Uint16Array;
}

const BUCKET_BITS = Math.log2(BUCKETS);
const OTHER_BITS = (32 - BUCKET_BITS) / 3;

/**
 * Parts of a hash for the radix sort. The bucket comes last, so that its entries are adjacent; the other parts are
 * short enough for their counters to stay in the processor's cache.
 */
const PARTS = [
  { shift: BUCKET_BITS, bits: OTHER_BITS },
  { shift: BUCKET_BITS + OTHER_BITS, bits: OTHER_BITS },
  { shift: BUCKET_BITS + 2 * OTHER_BITS, bits: OTHER_BITS },
  { shift: 0, bits: BUCKET_BITS },
] as const;

/** Creates an empty collection of entries. */
export function gatherEntries(): BlockEntries {
  const hashes = new Uint32Array(BLOCK_CHECKS * MAX_INDEXED_NAMES);
  const places = new Uint16Array(hashes.length);
  let count = 0;
  return {
    add(hash, id, decision) {
      hashes[count] = hash;
      places[count++] = placeInBlock(id, decision);
    },
    *cells() {
      let sorted: Entries = { hashes: hashes.subarray(0, count), places: places.subarray(0, count) };
      for (const { shift, bits } of PARTS) sorted = sortedBy(sorted, shift, bits);
      for (let from = 0, to = 0; from < count; from = to) {
        const bucket = bucketOf(sorted.hashes[from] ?? 0);
        while (to < count && bucketOf(sorted.hashes[to] ?? 0) === bucket) to++;
        yield [bucket, writeCell(sorted.hashes.subarray(from, to), sorted.places.subarray(from, to))];
      }
    },
  };
}

/** Sorts entries by some bits of their hashes, stably (one pass of a radix sort). */
function sortedBy({ hashes, places }: Entries, shift: number, bits: number): Entries {
  const count = hashes.length;
  const mask = (1 << bits) - 1;
  // Target index of the next entry with these bits.
  const next = new Uint32Array(mask + 2);
  for (let i = 0; i < count; i++) {
    const above = (((hashes[i] ?? 0) >>> shift) & mask) + 1;
    next[above] = (next[above] ?? 0) + 1;
  }
  for (let part = 1; part <= mask; part++) next[part] = (next[part] ?? 0) + (next[part - 1] ?? 0);
  const sorted: Entries = { hashes: new Uint32Array(count), places: new Uint16Array(count) };
  for (let i = 0; i < count; i++) {
    const hash = hashes[i] ?? 0;
    const part = (hash >>> shift) & mask;
    const at = next[part] ?? 0;
    next[part] = at + 1;
    sorted.hashes[at] = hash;
    sorted.places[at] = places[i] ?? 0;
  }
  return sorted;
}

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

/** Entries of a block, gathered as its checks are inserted. */
interface Gathered {
  readonly block: number;
  readonly entries: BlockEntries;
  checks: number;
  /** Request ids of the checks that began first and last. */
  oldest: string;
  newest: string;
}

/** A complete block whose cells are being written. Readers use it once it is in `domain_blocks`. */
interface UnfinishedBlock extends Gathered {
  readonly cells: Iterator<readonly [bucket: number, cell: Uint8Array]>;
}

interface BlockStatements {
  readonly insertCell: ReturnType<typeof prepareInsertCell>;
  readonly countChecks: ReturnType<typeof prepareCount>;
}

/** Checks per cell that their commit writes: a block is finished when a quarter of the next one is stored. */
const CHECKS_PER_CELL = BLOCK_CHECKS / BUCKETS / 4;

/**
 * Creates the index of completed blocks. One sorted write for thousands of checks costs a tenth of updating an index with each
 * check, and the commits after a block is complete share it: each cell is in a page of its own, and one commit that writes them
 * all stalls the checks in it. Entries are gathered with each insertion, since reading a block again would cost more; that is
 * done only if something else changed the block meanwhile: another process, a deletion or a transaction that was rolled back.
 */
export function createCompletedBlocks(log: Log) {
  // Prepared with the first complete block: the first check of a service would wait for them.
  let statements: BlockStatements | null = null;
  let gathered: Gathered | null = null;
  let unfinished: UnfinishedBlock | null = null;
  let last: Pick<IndexedCheck, 'id' | 'requestId'> | null = null;

  function gather(check: IndexedCheck): void {
    const block = blockOf(check.id);
    const { requestId } = check;
    if (gathered?.block !== block)
      gathered = { block, entries: gatherEntries(), checks: 0, oldest: requestId, newest: requestId };
    addTo(gathered.entries, check);
    gathered.checks++;
    if (requestId < gathered.oldest) gathered.oldest = requestId;
    if (requestId > gathered.newest) gathered.newest = requestId;
  }

  /** Writes some cells of the unfinished block, and finishes it after its last one. */
  function writeCells(limit: number): void {
    if (unfinished === null) return;
    statements ??= { insertCell: prepareInsertCell(log), countChecks: prepareCount(log) };
    const { insertCell, countChecks } = statements;
    if (countChecks(unfinished.block) !== unfinished.checks) {
      // What was deleted meanwhile must not enter the index.
      indexBlock(log, unfinished.block);
      unfinished = null;
      return;
    }
    for (let written = 0; written < limit; written++) {
      const { done, value } = unfinished.cells.next();
      if (done) {
        addBlock(log, unfinished.block, spanBetween(unfinished.oldest, unfinished.newest));
        unfinished = null;
        return;
      }
      insertCell(unfinished.block, value);
    }
  }

  function complete(block: number): void {
    writeCells(Number.POSITIVE_INFINITY);
    if (gathered?.block === block) {
      unindexBlock(log, block);
      unfinished = { ...gathered, cells: gathered.entries.cells()[Symbol.iterator]() };
    } else indexBlock(log, block);
  }

  return {
    /**
     * Adds checks that were just inserted, with ids that increment.
     *
     * @param newest the latest check before them; null if there was none
     */
    add(newest: { readonly id: number; readonly requestId: string } | null, checks: readonly IndexedCheck[]) {
      // The latest check is the last one that was gathered, unless something else added or removed checks.
      if (last === null || newest?.id !== last.id || newest.requestId !== last.requestId) {
        gathered = null;
        unfinished = null;
        indexMissing(log, newest === null ? 0 : blockOf(newest.id + 1));
      }
      const [first] = checks;
      if (!first) return;
      writeCells(Math.ceil(checks.length / CHECKS_PER_CELL));
      let block = blockOf(newest === null ? first.id : newest.id + 1);
      for (const check of checks) {
        // If the latest checks were deleted, their block ends without a check at its end.
        for (; block < blockOf(check.id); block++) complete(block);
        gather(check);
        last = check;
      }
      for (; block < blockOf((last?.id ?? 0) + 1); block++) complete(block);
    },
  };
}

/** Indexes the blocks below `end` that no process has finished, in the caller's transaction. */
function indexMissing(log: Log, end: number): void {
  const finished = prepareNamed(log.database, 'newestBlock').get({})?.block;
  const oldest = prepareNamed(log.database, 'oldestId').get({})?.id;
  const begin = (finished ?? -1) + 1;
  removeCells(log, begin, MAX_BLOCKS - 1);
  for (let block = Math.max(begin, blockOf(oldest ?? 0)); block < end; block++) indexBlock(log, block);
}

function addTo(entries: BlockEntries, { id, decision, host, url }: IndexedRow): void {
  const name = hostOfRow({ host, url });
  for (const start of indexedStarts(name)) entries.add(domainHash(name.text, start), id, decision);
}

/** Removes the index of the blocks whose checks are all removed, in the transaction that removed all up to `lastId`. */
export function unindexBlocks(log: Log, lastId: number): void {
  const last = blockOf(lastId + 1) - 1;
  if (last < 0) return;
  removeCells(log, 0, last);
  log.db.delete(domainBlocks).where(lte(domainBlocks.block, last)).run();
}

/** Rebuilds the index of the block that holds the oldest checks, in the caller's transaction. */
export function unindexOldest(log: Log): void {
  const oldest = log.db.select({ id: checks.id }).from(checks).orderBy(checks.id).limit(1).get();
  const left = oldest ? blockOf(oldest.id) : Number.MAX_SAFE_INTEGER;
  for (const block of indexedUpTo(log, left)) {
    if (block === left) indexBlock(log, block);
    else unindexBlock(log, block);
  }
}

/** Removes deleted checks of a block from the index, in the caller's transaction. */
export function unindexChecks(log: Log, block: number, ids: ReadonlySet<number>): void {
  const { db } = log;
  const first = db.select({ id: checks.id }).from(checks).where(inBlock(block)).limit(1).get();
  if (!first) {
    unindexBlock(log, block);
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

/** Start of the first and the last check of a block, in milliseconds since the Unix epoch. */
interface Span {
  readonly oldestMs: number;
  readonly newestMs: number;
}

function spanBetween(oldest: string, newest: string): Span {
  return { oldestMs: requestIdMs(oldest), newestMs: requestIdMs(newest) };
}

/** Returns the span of a block; null if it has no checks. */
function spanOf({ db }: Log, block: number): Span | null {
  const { requestId } = checks;
  const found = db
    .select({ oldest: min(requestId), newest: max(requestId) })
    .from(checks)
    .where(inBlock(block))
    .get();
  return found?.oldest && found.newest ? spanBetween(found.oldest, found.newest) : null;
}

function prepareCount({ db }: Log): (block: number) => number {
  const ofBlock = between(checks.id, sql.placeholder('first'), sql.placeholder('last'));
  const counted = db.select({ checks: count() }).from(checks).where(ofBlock).prepare();
  return (block) => counted.get(idsOf(block))?.checks ?? 0;
}

function idsOf(block: number): { first: number; last: number } {
  return { first: block * BLOCK_CHECKS, last: (block + 1) * BLOCK_CHECKS - 1 };
}

function inBlock(block: number): SQL {
  const { first, last } = idsOf(block);
  return between(checks.id, first, last);
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

/** Indexes a block in the caller's transaction, from its stored checks. */
export function indexBlock(log: Log, block: number): void {
  unindexBlock(log, block);
  const insertCell = prepareInsertCell(log);
  for (const cell of readEntries(log, block).cells()) insertCell(block, cell);
  const span = spanOf(log, block);
  if (span) addBlock(log, block, span);
}

function prepareInsertCell({ database }: Log) {
  const insert = prepareNamed(database, 'insertCell');
  return (block: number, [bucket, entries]: readonly [bucket: number, entries: Uint8Array]) => {
    insert.run({ cell: cellKey(bucket, block), entries });
  };
}

/** Makes a block visible to readers, once its cells are written. */
function addBlock({ db }: Log, block: number, span: Span): void {
  db.insert(domainBlocks)
    .values({ block, ...span })
    .run();
}

function readEntries(log: Log, block: number): BlockEntries {
  const entries = gatherEntries();
  const rows = prepareNamed(log.database, 'indexedChecks');
  for (const row of rows.all(idsOf(block))) addTo(entries, row);
  return entries;
}

type IndexedRow = Omit<IndexedCheck, 'requestId'>;

/** Removes the index of a block in the caller's transaction; until it is indexed again, a search skips it. */
export function unindexBlock({ db }: Log, block: number): void {
  db.delete(checkDomains).where(cellsOf(block)).run();
  db.delete(domainBlocks).where(eq(domainBlocks.block, block)).run();
}

/** Removes the cells of the blocks from `first` to `last`, also those of blocks that nobody finished. */
function removeCells({ database }: Log, first: number, last: number): void {
  const remove = prepareNamed(database, 'removeCells');
  for (let bucket = 0; bucket < BUCKETS; bucket++)
    remove.run({ first: cellKey(bucket, first), last: cellKey(bucket, last) });
}
