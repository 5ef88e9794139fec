import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, lt, lte, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import type { MessagePage } from '#src/checks/record/message-record.ts';
import { isRequestId, requestIdLowerBound } from '#src/core/base/request-id.ts';
import { asStoreError } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { activeSettings, messages } from '../file/schema.ts';
import { type After, withRequestIds } from '../read/check-filter.ts';
import { readCursor, writeCursor } from '../read/cursor.ts';
import { MODEL_VERSION } from '../read/search-condition.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import type { MessageFilter, MessagePageQuery } from './message-log.ts';
import { type LoggedMessage, type MessageEntry, messageEntry } from './stored-message.ts';

/** Rows per read, so that a slow consumer does not delay checkpoints. */
const ROWS_PER_READ = 200;

type Read = Pick<LogFile, 'db' | 'database'>;

/** A filter and the id of the latest message on the list; null if all are. */
interface Listed extends MessageFilter {
  readonly newestId: number | null;
}

/** Returns a page of the checks of messages in a file. Throws BadCursorError. */
export function messagePageOf(log: Read, { cursor, limit, ...filter }: MessagePageQuery): MessagePage {
  const after = cursor === null ? null : readCursor(cursor);
  const newestId = after?.newestId ?? prepareNamed(log.database, 'newestMessageId').get({})?.id ?? 0;
  const found = messagesAfter(log, { ...filter, newestId }, after, limit + 1);
  const items = found.slice(0, limit).map(({ message }) => message);
  const last = items.at(-1);
  return {
    items,
    next_cursor: found.length > limit && last ? writeCursor({ requestId: last.request_id, newestId }) : null,
  };
}

/** Reads the checks of messages of a file, newest first, as they are consumed. Throws StoreError. */
export function* readMessagesOf(log: Read & Pick<LogFile, 'path'>, filter: MessageFilter): Generator<MessageEntry> {
  let after: After = null;
  do {
    const from: After = after;
    const found: MessageEntry[] = reading(log, () =>
      messagesAfter(log, { ...filter, newestId: null }, from, ROWS_PER_READ),
    );
    yield* found;
    const last = found.at(-1);
    after = last ? { requestId: last.message.request_id } : null;
  } while (after);
}

/** Returns the check of a message by id; null if the file has none. Throws StoreError. */
export function findMessageIn(log: Read & Pick<LogFile, 'path'>, requestId: string): MessageEntry | null {
  if (!isRequestId(requestId)) return null;
  return reading(log, () => entriesWhere(log, withRequestIds([requestId], messages))[0] ?? null);
}

/** Returns the first messages logged after `afterId`, in their stored form. */
export function readStoredMessages({ db }: Read, afterId: number, limit: number): LoggedMessage[] {
  const { activeSettingsId: _, ...columns } = getTableColumns(messages);
  const rows = db
    .select({ ...columns, settings: activeSettings.settings })
    .from(messages)
    .leftJoin(activeSettings, eq(activeSettings.id, messages.activeSettingsId))
    .where(gt(messages.id, afterId))
    .orderBy(asc(messages.id))
    .limit(limit)
    .all();
  return rows.map((row) => ({ ...row, settings: row.settings ?? '' }));
}

/** Returns the request ids of those of some messages that a file has. */
export function knownMessages({ db }: Read, some: readonly { readonly requestId: string }[]): ReadonlySet<string> {
  const ids = some.map(({ requestId }) => requestId);
  const rows = db.select({ requestId: messages.requestId }).from(messages).where(withRequestIds(ids, messages)).all();
  return new Set(rows.map(({ requestId }) => requestId));
}

/** Returns the latest messages after a place. Each decision is a range of one sorted index, which SQLite merges. */
function messagesAfter(log: Read, filter: Listed, after: After, limit: number): MessageEntry[] {
  const { id, requestId, decision } = messages;
  const limits = [
    filter.fromMs === null ? undefined : gte(requestId, requestIdLowerBound(filter.fromMs)),
    filter.untilMs === null ? undefined : lt(requestId, requestIdLowerBound(filter.untilMs)),
    filter.newestId === null ? undefined : lte(id, filter.newestId),
    after ? lt(requestId, after.requestId) : undefined,
  ];
  const inRange = (one: NonNullable<MessageFilter['decision']>) =>
    log.db
      .select({ id, requestId })
      .from(messages)
      .where(and(eq(decision, one), ...limits));
  const found =
    filter.decision === null ? unionAll(inRange('allow'), inRange('warn'), inRange('block')) : inRange(filter.decision);
  const ids = found
    .orderBy(desc(requestId))
    .limit(limit)
    .all()
    .map((row) => row.id);
  return entriesWhere(log, inArray(id, ids)).toSorted((a, b) => (a.message.request_id < b.message.request_id ? 1 : -1));
}

function entriesWhere({ db }: Read, condition: SQL | undefined): MessageEntry[] {
  const { activeSettingsId: _, ...columns } = getTableColumns(messages);
  const rows = db
    .select({ ...columns, modelVersion: MODEL_VERSION })
    .from(messages)
    .leftJoin(activeSettings, eq(activeSettings.id, messages.activeSettingsId))
    .where(condition)
    .all();
  return rows.map(messageEntry);
}

function reading<T>({ path }: Pick<LogFile, 'path'>, query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw asStoreError(path, error);
  }
}
