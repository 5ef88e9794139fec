import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { MAX_SCANNED, placeIn, readPlace, walkedPage, writePlace } from '../../read/walk.ts';
import type { HistoryWalk, WalkedPage } from '../../scan-log.ts';
import { PG_SUMMARY_COLUMNS } from './find-in-database.ts';
import { pgChecks, pgInForce } from '../schema/tables.ts';

/** An append takes milliseconds; who is slower is waited for with the next page. */
const LOOKS = 20;
const LOOK_EVERY_MS = 10;

/**
 * The checks that were logged after a place, of whatever node, in the order of their numbers. A number is given out before
 * its check is committed, and a later one may be committed first: the walk holds back before all that is still being written.
 *
 * @throws BadCursorError where the place is not one of ours
 */
export async function walkDatabase(db: BunSQLDatabase, { after, limit, ...filter }: HistoryWalk): Promise<WalkedPage> {
  const place = readPlace(after);
  const settled = await settledIn(db);
  // Nothing is known to be complete: the place stays.
  if (settled === null) return { items: [], next: writePlace(place), isEnd: true };
  const { requestId, logged, host } = pgChecks;
  const [standing] = await db.select({ requestId }).from(pgChecks).where(eq(logged, place.id)).limit(1);
  const from = placeIn(place, settled, standing?.requestId ?? null);
  const rows = await db
    .select({ ...PG_SUMMARY_COLUMNS, id: logged, host })
    .from(pgChecks)
    .leftJoin(pgInForce, eq(pgInForce.id, pgChecks.inForce))
    .where(and(gt(logged, from.id), lte(logged, settled)))
    .orderBy(asc(logged))
    .limit(MAX_SCANNED);
  return walkedPage(rows, { from, isLast: rows.length < MAX_SCANNED, limit, filter });
}

/**
 * The last number up to which all are committed, or never will be; null where that is not known now. Who takes a number has
 * the lock of the table by then, and keeps it until its commit is seen by everybody: once all who had it after the number was
 * read have gone, there is nobody left with that number or an earlier one. A standby knows no locks but its own.
 */
async function settledIn(db: BunSQLDatabase): Promise<number | null> {
  const [row] = await db
    .select({
      last: sql<string>`case when is_called then last_value else 0 end`,
      isStandby: sql<boolean>`pg_is_in_recovery()`,
    })
    .from(sql`checks_logged`);
  if (row === undefined || row.isStandby) return null;
  let before = await writersIn(db);
  for (let look = 0; before.size > 0; look++) {
    if (look === LOOKS) return null;
    await Bun.sleep(LOOK_EVERY_MS);
    const now = await writersIn(db);
    before = before.intersection(now);
  }
  return Number(row.last);
}

/** The transactions that write checks now. */
async function writersIn(db: BunSQLDatabase): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ transaction: sql<string>`virtualtransaction` })
    .from(sql`pg_locks`)
    .where(
      sql`locktype = 'relation' and relation = 'checks'::regclass and mode = 'RowExclusiveLock' and granted and database = (select oid from pg_database where datname = current_database())`,
    );
  return new Set(rows.map(({ transaction }) => transaction));
}
