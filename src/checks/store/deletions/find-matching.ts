import { and, between, eq, inArray, lte, min } from 'drizzle-orm';
import { BLOCK_CHECKS, blockOf, bucketOf, cellKey, domainHash, idsInCell } from '../domains/block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, domainBlocks } from '../file/schema.ts';
import { withRequestIds } from '../read/check-filter.ts';
import { matches } from './deletion.ts';
import type { DeletionTarget } from './deletion-target.ts';

/**
 * Yields the ids of the checks up to `newestId` that match a target, ascending, one block at a time; empty for a block
 * without any. Reads each block on demand.
 */
export function* findMatching(log: LogFile, target: DeletionTarget, newestId: number): Generator<number[], void, void> {
  if (target.by === 'id') {
    const found = log.db
      .select({ id: checks.id })
      .from(checks)
      .where(withRequestIds([target.wanted]));
    yield found.all().map(({ id }) => id);
    return;
  }
  const [first] = log.db
    .select({ id: min(checks.id) })
    .from(checks)
    .all();
  for (let block = blockOf(first?.id ?? newestId + 1); block <= blockOf(newestId); block++) {
    yield inBlock(log, target, block, newestId);
  }
}

function inBlock(log: LogFile, target: DeletionTarget, block: number, newestId: number): number[] {
  const { db } = log;
  const indexed = db.select().from(domainBlocks).where(eq(domainBlocks.block, block)).get();
  let candidates = between(checks.id, block * BLOCK_CHECKS, (block + 1) * BLOCK_CHECKS - 1);
  if (indexed && target.by === 'before' && indexed.oldestMs >= Date.parse(target.wanted)) return [];
  if (indexed && target.by === 'domain') {
    const ids = indexedIds(log, block, target.wanted);
    if (ids.length === 0) return [];
    candidates = inArray(checks.id, ids);
  }
  const { id, requestId, host, url } = checks;
  const rows = db
    .select({ id, requestId, host, url })
    .from(checks)
    .where(and(candidates, lte(id, newestId)))
    .orderBy(id)
    .all();
  return rows.filter((row) => matches(target, row)).map((row) => row.id);
}

function indexedIds({ db }: LogFile, block: number, domain: string): number[] {
  const hash = domainHash(domain);
  const key = cellKey(bucketOf(hash), block);
  const cell = db.select({ entries: checkDomains.entries }).from(checkDomains).where(eq(checkDomains.cell, key)).get();
  return cell ? idsInCell(cell.entries, block, hash, () => true) : [];
}
