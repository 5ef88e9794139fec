import { asc, eq, getTableColumns, gt } from 'drizzle-orm';
import type { LogFile } from '../file/log-file.ts';
import { checks, inForce } from '../file/schema.ts';
import type { KeptCheck } from '../write/stored-check.ts';

/** A check as its file keeps it, with its place in the order of logging. */
export interface LoggedCheck extends KeptCheck {
  readonly id: number;
  readonly isUndelivered: boolean;
}

/** The first checks that were logged after `afterId`, as they are kept: not a byte of their records is read. */
export function readKept({ db }: Pick<LogFile, 'db'>, afterId: number, limit: number): LoggedCheck[] {
  const { inForceId: _, ...kept } = getTableColumns(checks);
  return db
    .select({ ...kept, settings: inForce.settings })
    .from(checks)
    .leftJoin(inForce, eq(inForce.id, checks.inForceId))
    .where(gt(checks.id, afterId))
    .orderBy(asc(checks.id))
    .limit(limit)
    .all()
    .map((row) => ({ ...row, settings: row.settings ?? '' }));
}
