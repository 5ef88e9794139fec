import { and, asc, desc, eq, gte, inArray, lt, max, sql } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, domainBlocks } from '../file/schema.ts';
import { type After, decisionsOf, type FilterUpTo, matching, newest, type Position } from '../read/check-filter.ts';
import { BLOCK_CHECKS, bucketOf, cellKey, domainHash, idsInCell } from './block.ts';
import { hostOfRow, indexedSuffixes } from './host-suffixes.ts';

type Log = Pick<LogFile, 'db'>;

const COLUMNS = { id: checks.id, requestId: checks.requestId, host: checks.host, url: checks.url };

/** Maximum blocks per read. Reads start with one block and double, because most domains are common. */
const MAX_BLOCKS_PER_READ = 512;

/** Ids per statement. */
const IDS_PER_READ = 4096;

/**
 * Returns the `limit` latest matching checks after `after` of hosts that end in `domain`, latest first. Reads blocks
 * from the latest on, until no earlier one can contain a later check.
 */
export function findByDomain(log: Log, domain: string, filter: FilterUpTo, after: After, limit: number): Position[] {
  const hash = domainHash(domain);
  const wanted = decisionsOf(filter).map((decision) => DECISIONS.indexOf(decision));
  let found = newest(inTail(log, domain, filter, after), limit);
  let last: BlockCell | null = null;
  for (let size = 1; ; size = Math.min(2 * size, MAX_BLOCKS_PER_READ)) {
    const cells: BlockCell[] = cellsOf(log, bucketOf(hash), filter, after, last, size);
    const needed = cells.filter(({ newestMs }) => found.length < limit || newestMs >= lastMs(found));
    const ids = needed.flatMap(({ block, entries }) =>
      idsInCell(entries, block, hash, (decision) => wanted.includes(decision)),
    );
    for (let at = 0; at < ids.length; at += IDS_PER_READ) {
      const some = amongIds(log, ids.slice(at, at + IDS_PER_READ), domain, filter, after);
      found = newest([...found, ...some], limit);
    }
    if (cells.length < size || needed.length < cells.length) return found;
    last = cells.at(-1) ?? null;
  }
}

function lastMs(found: readonly Position[]): number {
  return requestIdMs(found.at(-1)?.requestId ?? '');
}

/** A block's entries in the searched bucket. */
interface BlockCell {
  readonly block: number;
  readonly newestMs: number;
  readonly entries: Uint8Array;
}

/** Returns the next `limit` blocks after `last` that may match, newest first. */
function cellsOf(
  { db }: Log,
  bucket: number,
  { fromMs, untilMs }: FilterUpTo,
  after: After,
  last: BlockCell | null,
  limit: number,
): BlockCell[] {
  const { block, newestMs, oldestMs } = domainBlocks;
  return db
    .select({ block, newestMs, entries: checkDomains.entries })
    .from(domainBlocks)
    .innerJoin(checkDomains, eq(checkDomains.cell, sql`${cellKey(bucket, 0)} + ${block}`))
    .where(
      and(
        fromMs === null ? undefined : gte(newestMs, fromMs),
        untilMs === null ? undefined : lt(oldestMs, untilMs),
        after === null ? undefined : lt(oldestMs, requestIdMs(after.requestId) + 1),
        last === null ? undefined : sql`(${newestMs}, ${block}) < (${last.newestMs}, ${last.block})`,
      ),
    )
    .orderBy(desc(newestMs), desc(block))
    .limit(limit)
    .all();
}

/** Returns matches among the latest checks, which are not in a block yet. */
function inTail({ db }: Log, domain: string, filter: FilterUpTo, after: After): Position[] {
  const last = db
    .select({ block: max(domainBlocks.block) })
    .from(domainBlocks)
    .get()?.block;
  const firstId = last === null || last === undefined ? 0 : (last + 1) * BLOCK_CHECKS;
  const rows = db
    .select(COLUMNS)
    .from(checks)
    .where(and(gte(checks.id, firstId), ...matching(filter, after)))
    .orderBy(asc(checks.id))
    .all();
  return ofDomain(rows, domain);
}

function amongIds({ db }: Log, ids: number[], domain: string, filter: FilterUpTo, after: After): Position[] {
  const rows = db
    .select(COLUMNS)
    .from(checks)
    .where(and(inArray(checks.id, ids), ...matching(filter, after)))
    .all();
  return ofDomain(rows, domain);
}

interface Row extends Position {
  readonly host: string | null;
  readonly url: string;
}

function ofDomain(rows: readonly Row[], domain: string): Position[] {
  return rows.filter((row) => isOfDomain(row, domain)).map(({ id, requestId }) => ({ id, requestId }));
}

/** Returns true if the host of a row ends in a domain at a label. */
export function isOfDomain(row: { readonly host: string | null; readonly url: string }, domain: string): boolean {
  const host = hostOfRow(row);
  return host.text === domain || (host.text.endsWith(domain) && indexedSuffixes(host).includes(domain));
}
