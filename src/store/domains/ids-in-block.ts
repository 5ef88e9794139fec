import { eq } from 'drizzle-orm';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains } from '../file/schema.ts';
import { bucketOf, cellKey, domainHash, idsInCell } from './block.ts';

/**
 * The ids of the checks in an indexed block whose hosts may end in `domain`, with one of the decisions that `isMeant` takes.
 * Whoever reads has to look at the hosts.
 */
export function idsInBlock(
  { db }: Pick<LogFile, 'db'>,
  block: number,
  domain: string,
  isMeant: (decision: number) => boolean,
): number[] {
  const hash = domainHash(domain);
  const key = cellKey(bucketOf(hash), block);
  const cell = db.select({ entries: checkDomains.entries }).from(checkDomains).where(eq(checkDomains.cell, key)).get();
  return cell ? idsInCell(cell.entries, block, hash, isMeant) : [];
}
