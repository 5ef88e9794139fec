import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { MAX_SCANNED, placeIn, readPlace, walkedPage, writePlace } from '#src/checks/store/read/walk.ts';
import type { HistoryWalk, WalkedPage } from '#src/checks/store/scan-log.ts';
import { pgActiveSettings, pgChecks } from '../schema/tables.ts';
import { PG_SUMMARY_COLUMNS } from './find-in-database.ts';

/** Attempts to wait for appends, which take milliseconds; slower ones are left to the next page. */
const ATTEMPTS = 20;
const ATTEMPT_EVERY_MS = 10;

/**
 * Returns the checks that any node logged after a place, by number. Numbers are assigned before commit, and a later one
 * may be committed first: the walk stops before numbers that are still being written.
 *
 * @throws BadCursorError for a place that this log did not return
 */
export async function walkDatabase(db: BunSQLDatabase, { after, limit, ...filter }: HistoryWalk): Promise<WalkedPage> {
  const place = readPlace(after);
  const settled = await settledIn(db);
  // The complete range is unknown: the place stays.
  if (settled === null) return { items: [], next: writePlace(place), isEnd: true };
  const { requestId, logged, host } = pgChecks;
  const [standing] = await db.select({ requestId }).from(pgChecks).where(eq(logged, place.id)).limit(1);
  const from = placeIn(place, settled, standing?.requestId ?? null);
  const rows = await db
    .select({ ...PG_SUMMARY_COLUMNS, id: logged, host })
    .from(pgChecks)
    .leftJoin(pgActiveSettings, eq(pgActiveSettings.id, pgChecks.activeSettings))
    .where(and(gt(logged, from.id), lte(logged, settled)))
    .orderBy(asc(logged))
    .limit(MAX_SCANNED);
  return walkedPage(rows, { from, isLast: rows.length < MAX_SCANNED, limit, filter });
}

/**
 * Returns the last number up to which all checks are committed or never will be; null if unknown. A writer takes the
 * table lock before its number and holds it until its commit is visible: once all holders at the time of reading are
 * done, no earlier number is pending. A standby sees only its own locks.
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
  for (let attempt = 0; before.size > 0; attempt++) {
    if (attempt === ATTEMPTS) return null;
    await Bun.sleep(ATTEMPT_EVERY_MS);
    const now = await writersIn(db);
    before = before.intersection(now);
  }
  return Number(row.last);
}

/** Returns the transactions that are writing checks. */
async function writersIn(db: BunSQLDatabase): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ transaction: sql<string>`virtualtransaction` })
    .from(sql`pg_locks`)
    .where(
      sql`locktype = 'relation' and relation = 'checks'::regclass and mode = 'RowExclusiveLock' and granted and database = (select oid from pg_database where datname = current_database())`,
    );
  return new Set(rows.map(({ transaction }) => transaction));
}
