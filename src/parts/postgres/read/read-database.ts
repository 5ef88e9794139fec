import { and, asc, desc, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { HistoryPage, HistorySummary } from '#src/checks/record/history-page.ts';
import type { MessagePage } from '#src/checks/record/message-record.ts';
import type { MessageFilter, MessagePageQuery } from '#src/checks/store/messages/message-log.ts';
import { type MessageEntry, messageEntry } from '#src/checks/store/messages/stored-message.ts';
import type { CheckFilter } from '#src/checks/store/read/check-filter.ts';
import { isCounted } from '#src/checks/store/read/counted-summary.ts';
import { readCursor, writeCursor } from '#src/checks/store/read/cursor.ts';
import type { EntryTally } from '#src/checks/store/read/list-hits.ts';
import { rowFilter } from '#src/checks/store/read/row-filter.ts';
import { momentOf, type NextChecks, searchChecks, searchTest, summarizeChecks } from '#src/checks/store/read/search.ts';
import type { HistoryQuery, LogEntry, LogTail, SearchFilter } from '#src/checks/store/scan-log.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { isRequestId, requestIdLowerBound } from '#src/core/base/request-id.ts';
import { pgActiveSettings, pgChecks, pgMessages, pgUndelivered } from '../schema/tables.ts';
import type { Session } from '../session/session.ts';
import { countedInDatabase } from './database-stats.ts';
import {
  entriesOf,
  findIds,
  itemsOf,
  knowsModel,
  PG_MODEL_VERSION,
  type Span,
  searchableOf,
} from './find-in-database.ts';

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

/** Rows per read, so that no read times out, however slowly rows are consumed. */
const ROWS_PER_READ = 200;

/**
 * Returns a page of the history, newest first. Its first page fixes the list, except for checks that other nodes are
 * committing at that moment.
 */
export async function databasePage(session: Session, query: HistoryQuery): Promise<HistoryPage> {
  const after = query.cursor === null ? null : readCursor(query.cursor);
  const lastLogged = after?.newestId ?? (await session.run(({ db }) => lastLoggedIn(db)));
  const span = { afterId: after?.requestId ?? null, lastLogged };
  const cursorAfter = (requestId: string) => writeCursor({ requestId, newestId: lastLogged });
  const isMeant = searchTest(query);
  if (isMeant === null) return await session.run(({ db }) => foundPage(db, query, span, cursorAfter));
  if (!(await session.run(({ db }) => knowsModel(db, query)))) return { items: [], next_cursor: null };
  const { requestIds, continuesAfter, isBounded } = await searchChecks(nextChecks(session, query, lastLogged), {
    isMeant,
    afterId: span.afterId,
    limit: query.limit,
  });
  return {
    items: await session.run(({ db }) => itemsOf(db, requestIds)),
    next_cursor: continuesAfter && cursorAfter(continuesAfter),
    ...(isBounded && continuesAfter !== null && { searched_back_to: momentOf(continuesAfter) }),
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

/** Counts the matching checks by decision and day. */
export async function databaseSummary(session: Session, filter: SearchFilter): Promise<HistorySummary> {
  if (isCounted(filter)) return await session.run(({ db }) => countedInDatabase(db, filter));
  const lastLogged = await session.run(({ db }) => lastLoggedIn(db));
  return await summarizeChecks(nextChecks(session, filter, lastLogged), searchTest(filter));
}

/** Reads each batch separately, so that none times out. */
function nextChecks(session: Session, filter: SearchFilter, lastLogged: number): NextChecks {
  return async (afterId, limit) =>
    await session.run(
      async ({ db }) => await searchableOf(db, await findIds(db, filter, { afterId, lastLogged }, limit)),
    );
}

/** Returns the last assigned number. */
export async function lastLoggedIn(db: BunSQLDatabase): Promise<number> {
  const [row] = await db.select({ last: sql<string>`last_value` }).from(sql`checks_logged`);
  return Number(row?.last ?? 0);
}

/** Reads matching checks, newest first, as they are consumed. */
export async function* readDatabase(
  session: Session,
  filter: CheckFilter,
  together = ROWS_PER_READ,
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

/** Time after which a number's check is committed or never will be: statements are canceled earlier. */
const SETTLED_MS = 10_000;

/** Follows the checks that any node logs from now on. */
export async function tailDatabase(session: Session, filter: CheckFilter, clock: Clock): Promise<LogTail> {
  const isMeant = rowFilter(filter);
  /** All checks up to here were returned or will never come. */
  let settled = await session.run(({ db }) => lastLoggedIn(db));
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
        const last = await lastLoggedIn(db);
        const { requestId, logged, host, url, decision } = pgChecks;
        const ofDecision = filter.decision === null ? undefined : eq(decision, filter.decision);
        for (let after = settled; ; ) {
          const rows = await db
            .select({ requestId, logged, host, url })
            .from(pgChecks)
            .where(and(gt(logged, after), ofDecision))
            .orderBy(asc(logged))
            .limit(ROWS_PER_READ);
          const fresh = rows.filter((row) => !returned.has(row.logged));
          const meant = fresh.filter(isMeant).map((row) => row.requestId);
          const entries = await entriesOf(db, meant);
          for (const row of fresh) returned.add(row.logged);
          after = rows.at(-1)?.logged ?? after;
          const isEnd = rows.length < ROWS_PER_READ;
          if (isEnd) settle(last);
          if (isEnd || entries.length > 0) return entries;
        }
      }),
  };
}

/** Returns a page of the checks of messages, newest first. Throws BadCursorError. */
export async function databaseMessagePage(session: Session, query: MessagePageQuery): Promise<MessagePage> {
  const { cursor, limit } = query;
  const after = cursor === null ? null : readCursor(cursor);
  return await session.run(async ({ db }) => {
    const lastLogged = after?.newestId ?? (await lastLoggedIn(db));
    const found = await messagesIn(db, query, { afterId: after?.requestId ?? null, lastLogged }, limit + 1);
    const items = found.slice(0, limit).map(({ message }) => message);
    const last = items.at(-1);
    const next = found.length > limit && last ? { requestId: last.request_id, newestId: lastLogged } : null;
    return { items, next_cursor: next && writeCursor(next) };
  });
}

/** Reads the checks of messages, newest first, as they are consumed. */
export async function* readDatabaseMessages(session: Session, filter: MessageFilter): AsyncGenerator<MessageEntry> {
  let afterId: string | null = null;
  do {
    const span: Span = { afterId, lastLogged: null };
    const found: MessageEntry[] = await session.run(({ db }) => messagesIn(db, filter, span, ROWS_PER_READ));
    yield* found;
    afterId = found.at(-1)?.message.request_id ?? null;
  } while (afterId !== null);
}

/** Returns the check of a message by id; null if the database has none. */
export async function findDatabaseMessage(session: Session, requestId: string): Promise<MessageEntry | null> {
  if (!isRequestId(requestId)) return null;
  const [found] = await session.run(({ db }) => entriesWhere(db, eq(pgMessages.requestId, requestId), 1));
  return found ?? null;
}

async function messagesIn(
  db: BunSQLDatabase,
  { decision, fromMs, untilMs }: MessageFilter,
  { afterId, lastLogged }: Span,
  limit: number,
): Promise<MessageEntry[]> {
  const { requestId, logged } = pgMessages;
  // Named in the statement, because the index has only some decisions.
  const place = decision === null ? -1 : DECISIONS.indexOf(decision);
  const condition = and(
    decision === null ? undefined : sql`${pgMessages.decision} = ${sql.raw(String(place))}`,
    fromMs === null ? undefined : gte(requestId, requestIdLowerBound(fromMs)),
    untilMs === null ? undefined : lt(requestId, requestIdLowerBound(untilMs)),
    afterId === null ? undefined : lt(requestId, afterId),
    lastLogged === null ? undefined : lte(logged, lastLogged),
  );
  return await entriesWhere(db, condition, limit);
}

async function entriesWhere(db: BunSQLDatabase, condition: SQL | undefined, limit: number): Promise<MessageEntry[]> {
  const rows = await db
    .select({ stored: pgMessages, modelVersion: PG_MODEL_VERSION, undelivered: pgUndelivered.requestId })
    .from(pgMessages)
    .leftJoin(pgActiveSettings, eq(pgActiveSettings.id, pgMessages.activeSettings))
    .leftJoin(pgUndelivered, eq(pgUndelivered.requestId, pgMessages.requestId))
    .where(condition)
    .orderBy(desc(pgMessages.requestId))
    .limit(limit);
  return rows.map(({ stored, modelVersion, undelivered }) =>
    messageEntry({ ...stored, modelVersion, isUndelivered: undelivered !== null }),
  );
}
