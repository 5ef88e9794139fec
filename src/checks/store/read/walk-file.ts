import { and, asc, eq, gt, lte } from 'drizzle-orm';
import type { LogFile } from '../file/log-file.ts';
import { checks, inForce, lastDeleted } from '../file/schema.ts';
import type { HistoryWalk, WalkedPage } from '../scan-log.ts';
import { newestIdOf } from './find-checks.ts';
import { SUMMARY_COLUMNS } from './summary-columns.ts';
import { MAX_SCANNED, placeIn, readPlace, walkedPage } from './walk.ts';

/**
 * The checks that were logged after a place, in the order of logging. One writes at a time, and no number is given out
 * twice: what is committed later has a later number.
 *
 * @throws BadCursorError where the place is not one of ours
 */
export function walkFile({ db }: Pick<LogFile, 'db'>, { after, limit, ...filter }: HistoryWalk): WalkedPage {
  const place = readPlace(after);
  const newestId = newestIdOf({ db });
  const deletedId = db.select({ id: lastDeleted.checkId }).from(lastDeleted).get()?.id ?? 0;
  const standing = db.select({ requestId: checks.requestId }).from(checks).where(eq(checks.id, place.id)).get();
  const from = placeIn(place, Math.max(newestId, deletedId), standing?.requestId ?? null);
  const rows = db
    .select({ ...SUMMARY_COLUMNS, host: checks.host })
    .from(checks)
    .leftJoin(inForce, eq(inForce.id, checks.inForceId))
    .where(and(gt(checks.id, from.id), lte(checks.id, newestId)))
    .orderBy(asc(checks.id))
    .limit(MAX_SCANNED)
    .all();
  return walkedPage(rows, { from, isLast: rows.length < MAX_SCANNED, limit, filter });
}
