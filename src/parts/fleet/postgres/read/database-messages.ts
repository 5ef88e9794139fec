import { and, desc, eq, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { MessagePage } from '#src/checks/record/message-record.ts';
import type { MessageFilter, MessagePageQuery } from '#src/checks/store/messages/message-log.ts';
import { type MessageEntry, messageEntry } from '#src/checks/store/messages/stored-message.ts';
import { readCursor, writeCursor } from '#src/checks/store/read/cursor.ts';
import { isRequestId, requestIdLowerBound } from '#src/core/base/request-id.ts';
import { pgActiveSettings, pgMessages, pgUndelivered } from '../schema/tables.ts';
import type { Session } from '../session/session.ts';
import { PG_MODEL_VERSION, type Span } from './find-in-database.ts';
import { lastLoggedIn } from './read-database.ts';

/** Rows per read, so that no read times out, however slowly rows are consumed. */
const ROWS_PER_READ = 200;

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
