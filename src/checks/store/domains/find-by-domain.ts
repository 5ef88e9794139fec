import { and, desc, eq, gte, inArray, lt, max, type SQL, sql } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { cutHost } from '#src/core/url/host.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, domainBlocks } from '../file/schema.ts';
import { type CheckFilter, decisionsOf, ofDecision, type Span, within } from '../read/check-filter.ts';
import { BLOCK_CHECKS, bucketOf, cellKey, domainHash, idsInCell } from './block.ts';
import { isIndexedSuffix } from './host-suffixes.ts';

type Log = Pick<LogFile, 'db'>;

/** A check in the list sorted by request id, in bytes, with the index of its decision. */
export type ListedCheck = readonly [id: number, requestId: Uint8Array, decision: number];

/** Maximum blocks per read. Reads start with one block and double, because most domains are common. */
const MAX_BLOCKS_PER_READ = 512;

/** Ids per statement. */
const IDS_PER_READ = 4096;

/**
 * Returns the `limit` latest matching checks in a span of hosts that end in `domain`, latest first. Reads blocks
 * from the latest on, until no earlier one can contain a later check.
 */
export function findByDomain(
  log: Log,
  domain: string,
  filter: CheckFilter,
  span: Span,
  limit: number,
): readonly ListedCheck[] {
  const hash = domainHash(domain);
  const wanted = decisionsOf(filter).map((decision) => DECISIONS.indexOf(decision));
  let found = newest(inTail(log, domain, filter, span), limit);
  let ids: number[] = [];
  const readIds = () => {
    if (ids.length > 0) found = newest([...found, ...amongIds(log, ids, domain, filter, span)], limit);
    ids = [];
  };
  for (const { block, newestMs, entries } of cellsFor(log, bucketOf(hash), filter, span)) {
    if (found.length + ids.length >= limit || ids.length >= IDS_PER_READ) readIds();
    if (found.length >= limit && newestMs < lastMs(found)) return found;
    for (const id of idsInCell(entries, block, hash, (decision) => wanted.includes(decision))) ids.push(id);
  }
  readIds();
  return found;
}

function newest(found: readonly ListedCheck[], limit: number): readonly ListedCheck[] {
  return found.toSorted(([, a], [, b]) => Buffer.compare(b, a)).slice(0, limit);
}

/** Start of a check, in milliseconds since the Unix epoch. */
export function msOfListed([, { buffer, byteOffset }]: ListedCheck): number {
  return new DataView(buffer, byteOffset).getUint32(0) * 2 ** 16 + new DataView(buffer, byteOffset).getUint16(4);
}

/** Start of the last of places, of which there is at least one. */
function lastMs(found: readonly ListedCheck[]): number {
  const last = found.at(-1);
  return last ? msOfListed(last) : 0;
}

/** A block's entries in the searched bucket. */
interface BlockCell {
  readonly block: number;
  readonly newestMs: number;
  readonly entries: Uint8Array;
}

/** Yields the blocks that may match, newest first. */
function* cellsFor(log: Log, bucket: number, filter: CheckFilter, span: Span): Generator<BlockCell> {
  let last: BlockCell | null = null;
  for (let size = 1; ; size = Math.min(2 * size, MAX_BLOCKS_PER_READ)) {
    const cells: BlockCell[] = cellsOf(log, bucket, filter, span, last, size);
    yield* cells;
    if (cells.length < size) return;
    last = cells.at(-1) ?? null;
  }
}

/** Returns the next `limit` blocks after `last` that may match, newest first. */
function cellsOf(
  { db }: Log,
  bucket: number,
  { fromMs, untilMs }: CheckFilter,
  { after }: Span,
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
        after === null ? undefined : lt(oldestMs, requestIdMs(after) + 1),
        last === null ? undefined : sql`(${newestMs}, ${block}) < (${last.newestMs}, ${last.block})`,
      ),
    )
    .orderBy(desc(newestMs), desc(block))
    .limit(limit)
    .all();
}

/** Returns matches among the latest checks, which are not in a block yet. */
function inTail(log: Log, domain: string, filter: CheckFilter, span: Span): ListedCheck[] {
  const last = log.db
    .select({ block: max(domainBlocks.block) })
    .from(domainBlocks)
    .get()?.block;
  const firstId = last === null || last === undefined ? 0 : (last + 1) * BLOCK_CHECKS;
  return among(log, gte(checks.id, firstId), domain, filter, span);
}

function amongIds(log: Log, ids: number[], domain: string, filter: CheckFilter, span: Span): ListedCheck[] {
  return among(
    log,
    inArray(checks.id, sql`(select value from json_each(${JSON.stringify(ids)}))`),
    domain,
    filter,
    span,
  );
}

type Row = [...ListedCheck, host: string | null, url: string];

/** Rows are read unmapped: mapping thousands of them would take most of the time. */
function among({ db }: Log, candidates: SQL, domain: string, filter: CheckFilter, span: Span): ListedCheck[] {
  const { id, requestId, decision, host, url } = checks;
  const rows = db
    .select({ id, requestId, decision, host, url })
    .from(checks)
    .where(and(candidates, ofDecision(decision, filter), within({ requestId, logged: id }, filter, span)))
    .values() as Row[];
  return rows
    .filter(([, , , host, url]) => isOfDomain({ host, url }, domain))
    .map(([id, bytes, bucket]) => [id, bytes, bucket]);
}

/** Returns true if the host of a row ends in a domain at a label, and is found by it. */
export function isOfDomain(
  { host, url }: { readonly host: string | null; readonly url: string },
  domain: string,
): boolean {
  const text = host ?? cutHost(url);
  return text === domain || (text.endsWith(`.${domain}`) && isIndexedSuffix(domain));
}
