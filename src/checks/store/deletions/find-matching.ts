import { and, between, eq, inArray, lte, min } from 'drizzle-orm';
import { BLOCK_CHECKS, blockOf, bucketOf, cellKey, domainHash, idsInCell } from '../domains/block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, domainBlocks } from '../file/schema.ts';
import { withRequestIds } from '../read/check-filter.ts';
import type { Deletable } from './deletion-target.ts';
import { isMeant } from './deletion.ts';

/**
 * The ids of the checks up to `newestId` that a deletion means, in ascending order, those of one block at a time: empty
 * where it has none. A block is read when it is asked for.
 */
export function* findMeant(log: LogFile, meant: Deletable, newestId: number): Generator<number[], void, void> {
  if (meant.by === 'id') {
    const found = log.db
      .select({ id: checks.id })
      .from(checks)
      .where(withRequestIds([meant.wanted]));
    yield found.all().map(({ id }) => id);
    return;
  }
  const [first] = log.db
    .select({ id: min(checks.id) })
    .from(checks)
    .all();
  for (let block = blockOf(first?.id ?? newestId + 1); block <= blockOf(newestId); block++) {
    yield inBlock(log, meant, block, newestId);
  }
}

function inBlock(log: LogFile, meant: Deletable, block: number, newestId: number): number[] {
  const { db } = log;
  const indexed = db.select().from(domainBlocks).where(eq(domainBlocks.block, block)).get();
  let candidates = between(checks.id, block * BLOCK_CHECKS, (block + 1) * BLOCK_CHECKS - 1);
  if (indexed && meant.by === 'before' && indexed.oldestMs >= Date.parse(meant.wanted)) return [];
  if (indexed && meant.by === 'domain') {
    const ids = indexedIds(log, block, meant.wanted);
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
  return rows.filter((row) => isMeant(meant, row)).map((row) => row.id);
}

function indexedIds({ db }: LogFile, block: number, domain: string): number[] {
  const hash = domainHash(domain);
  const key = cellKey(bucketOf(hash), block);
  const cell = db.select({ entries: checkDomains.entries }).from(checkDomains).where(eq(checkDomains.cell, key)).get();
  return cell ? idsInCell(cell.entries, block, hash, () => true) : [];
}
