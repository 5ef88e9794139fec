import { and, asc, gt, sql } from 'drizzle-orm';
import { type CheckFilter, ofDecision } from '#src/checks/store/read/check-filter.ts';
import type { EntryTally } from '#src/checks/store/read/list-hits.ts';
import { queriesOf } from '#src/checks/store/read/queries.ts';
import { entriesWhere, ROWS_PER_READ } from '#src/checks/store/read/read-entries.ts';
import { rowFilter } from '#src/checks/store/read/row-filter.ts';
import type { LogTail } from '#src/checks/store/scan-log.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { isRequestId, requestIdLowerBound } from '#src/core/base/request-id.ts';
import { pgChecks } from '../schema/tables.ts';
import type { Session } from '../session/session.ts';
import { DATABASE_TABLES, isOneOf, lastLoggedIn } from './find-in-database.ts';

/** Entries per query. */
const ENTRIES_PER_QUERY = 1000;

/** Counts the checks of a database since a moment by the entry that decided, a page of entries at a time. */
export async function* databaseHits(session: Session, sinceMs: number): AsyncGenerator<readonly EntryTally[]> {
  const since = requestIdLowerBound(sinceMs);
  let after = { list: '', entry: '' };
  for (;;) {
    const found = await session.run(({ db }) =>
      db
        .select({
          list: sql<string>`list`,
          entry: sql<string>`entry`,
          hits: sql<string>`hits`.mapWith(Number),
        })
        .from(sql`list_hits(${since}::uuid, ${after.list}::text, ${after.entry}::text, ${ENTRIES_PER_QUERY}::int4)`),
    );
    yield found;
    const last = found.at(-1);
    if (last === undefined || found.length < ENTRIES_PER_QUERY) return;
    after = last;
  }
}

/** Returns those of some ids that no check of a log has, which a node may not read itself. */
export async function missingIn(session: Session, ids: readonly string[]): Promise<string[]> {
  const asked = `{${ids.filter(isRequestId).join(',')}}`;
  const rows = await session.run(({ db }) =>
    db.select({ id: sql<string>`id` }).from(sql`missing_checks(${asked}::uuid[]) as missing (id)`),
  );
  return rows.map(({ id }) => id);
}

/** Time after which a number's check is committed or never will be: statements are canceled earlier. */
const SETTLED_MS = 10_000;

/** Follows the checks that any node logs from now on. */
export async function tailDatabase(session: Session, filter: CheckFilter, clock: Clock): Promise<LogTail> {
  const isMeant = rowFilter(filter);
  /** All checks up to here were returned or will never come. */
  let settled = await session.run(({ db }) => lastLoggedIn(queriesOf(db)));
  const returned = new Set<number>();
  const readings: { readonly atMs: number; readonly last: number }[] = [];

  function settle(last: number): void {
    const nowMs = clock.monotonicMs();
    readings.push({ atMs: nowMs, last });
    while (readings[0] && readings[0].atMs < nowMs - SETTLED_MS) settled = readings.shift()?.last ?? settled;
    for (const one of returned) if (one <= settled) returned.delete(one);
  }

  return {
    next: () =>
      session.run(async ({ db }) => {
        const last = await lastLoggedIn(queriesOf(db));
        const { requestId, logged, host, url, decision } = pgChecks;
        for (let after = settled; ; ) {
          const rows = await db
            .select({ requestId, logged, host, url })
            .from(pgChecks)
            .where(and(gt(logged, after), ofDecision(decision, filter)))
            .orderBy(asc(logged))
            .limit(ROWS_PER_READ);
          const fresh = rows.filter((row) => !returned.has(row.logged));
          const meant = fresh.filter(isMeant).map((row) => row.requestId);
          const entries =
            meant.length === 0
              ? []
              : await entriesWhere(queriesOf(db), DATABASE_TABLES, isOneOf(requestId, meant), 'as logged');
          for (const row of fresh) returned.add(row.logged);
          after = rows.at(-1)?.logged ?? after;
          const isEnd = rows.length < ROWS_PER_READ;
          if (isEnd) settle(last);
          if (isEnd || entries.length > 0) return entries;
        }
      }),
  };
}
