import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { Clock } from '#src/core/base/clock.ts';
import type { HistoryPage } from '#src/checks/record/history-page.ts';
import type { HistorySummary } from '#src/checks/record/history-summary.ts';
import type { CheckFilter } from '../../read/check-filter.ts';
import { readCursor, writeCursor } from '../../read/cursor.ts';
import { rowFilter } from '../../read/row-filter.ts';
import { momentOf, type NextChecks, searchChecks, searchTest, summarizeChecks } from '../../read/search.ts';
import type { HistoryQuery, LogEntry, LogTail, SearchFilter } from '../../scan-log.ts';
import { entriesOf, findIds, itemsOf, knowsModel, type Span, seenOf } from './find-in-database.ts';
import type { Session } from '../session/session.ts';
import { pgChecks } from '../schema/tables.ts';

/** Short reads, so that none runs into the time-out, however slowly the rows are consumed. */
const ROWS_A_READ = 200;

/**
 * A page of the history, newest first. What is on the list is settled by its first page, but for what other nodes are
 * committing at that very moment.
 */
export async function databasePage(session: Session, query: HistoryQuery): Promise<HistoryPage> {
  const after = query.cursor === null ? null : readCursor(query.cursor);
  const lastLogged = after?.newestId ?? (await session.run(({ db }) => lastLoggedIn(db)));
  const span = { afterId: after?.requestId ?? null, lastLogged };
  const cursorAfter = (requestId: string) => writeCursor({ requestId, newestId: lastLogged });
  const isMeant = searchTest(query);
  if (isMeant === null) return await session.run(({ db }) => foundPage(db, query, span, cursorAfter));
  if (!(await session.run(({ db }) => knowsModel(db, query)))) return { items: [], next_cursor: null };
  const { requestIds, goesOnAfter, isBounded } = await searchChecks(nextChecks(session, query, lastLogged), {
    isMeant,
    afterId: span.afterId,
    limit: query.limit,
  });
  return {
    items: await session.run(({ db }) => itemsOf(db, requestIds)),
    next_cursor: goesOnAfter && cursorAfter(goesOnAfter),
    ...(isBounded && goesOnAfter !== null && { searched_back_to: momentOf(goesOnAfter) }),
  };
}

async function foundPage(
  db: BunSQLDatabase,
  query: HistoryQuery,
  span: Span,
  cursorAfter: (requestId: string) => string,
): Promise<HistoryPage> {
  const found = await findIds(db, query, span, query.limit + 1);
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: await itemsOf(db, shown),
    next_cursor: found.length > shown.length && last !== undefined ? cursorAfter(last) : null,
  };
}

/** How many checks match, and when they were. */
export async function databaseSummary(session: Session, filter: SearchFilter): Promise<HistorySummary> {
  const lastLogged = await session.run(({ db }) => lastLoggedIn(db));
  return await summarizeChecks(nextChecks(session, filter, lastLogged), searchTest(filter));
}

/** Each look is work of its own, so that none runs into the time-out. */
function nextChecks(session: Session, filter: CheckFilter, lastLogged: number): NextChecks {
  return async (afterId, limit) =>
    await session.run(async ({ db }) => await seenOf(db, await findIds(db, filter, { afterId, lastLogged }, limit)));
}

/** The number that was given out last. */
export async function lastLoggedIn(db: BunSQLDatabase): Promise<number> {
  const [row] = await db.select({ last: sql<string>`last_value` }).from(sql`checks_logged`);
  return Number(row?.last ?? 0);
}

/** What matches, newest first, read as it is consumed. */
export async function* readDatabase(
  session: Session,
  filter: CheckFilter,
  together = ROWS_A_READ,
): AsyncGenerator<LogEntry> {
  let afterId: string | null = null;
  do {
    const from: string | null = afterId;
    const { ids, entries } = await session.run(async ({ db }) => {
      const found = await findIds(db, filter, { afterId: from, lastLogged: null }, together);
      return { ids: found, entries: await entriesOf(db, found) };
    });
    yield* entries;
    afterId = ids.at(-1) ?? null;
  } while (afterId !== null);
}

/** So long after its number was given out a check may be committed, behind later ones: statements are cut off before. */
const SETTLED_MS = 10_000;

/** What is logged from now on, of whatever node. */
export async function tailDatabase(session: Session, filter: CheckFilter, clock: Clock): Promise<LogTail> {
  const isMeant = rowFilter(filter);
  /** All up to here were told, or will never come. */
  let settled = await session.run(({ db }) => lastLoggedIn(db));
  const told = new Set<number>();
  const looks: { readonly atMs: number; readonly last: number }[] = [];

  function settle(last: number): void {
    const nowMs = clock.monotonicMs();
    looks.push({ atMs: nowMs, last });
    while (looks[0] && looks[0].atMs < nowMs - SETTLED_MS) settled = looks.shift()?.last ?? settled;
    for (const one of told) if (one <= settled) told.delete(one);
  }

  return {
    next: () =>
      session.run(async ({ db }) => {
        const last = await lastLoggedIn(db);
        const { requestId, logged, host, url, decision } = pgChecks;
        const ofDecision = filter.decision === null ? undefined : eq(decision, filter.decision);
        for (let after = settled; ; ) {
          const rows = await db
            .select({ requestId, logged, host, url })
            .from(pgChecks)
            .where(and(gt(logged, after), ofDecision))
            .orderBy(asc(logged))
            .limit(ROWS_A_READ);
          const fresh = rows.filter((row) => !told.has(row.logged));
          const meant = fresh.filter(isMeant).map((row) => row.requestId);
          const entries = await entriesOf(db, meant);
          for (const row of fresh) told.add(row.logged);
          after = rows.at(-1)?.logged ?? after;
          const isEnd = rows.length < ROWS_A_READ;
          if (isEnd) settle(last);
          if (isEnd || entries.length > 0) return entries;
        }
      }),
  };
}
