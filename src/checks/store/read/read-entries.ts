import { asc, desc, eq, type SQL } from 'drizzle-orm';
import { isRequestId } from '#src/core/base/request-id.ts';
import { type MessageEntry, type MessageFilter, messageEntry } from '../messages/stored-message.ts';
import type { LogEntry } from '../scan-log.ts';
import type { CheckFilter, Span } from './check-filter.ts';
import { columnsOf, type Queries } from './queries.ts';
import type { LogTables, ReadableLog } from './readable-log.ts';
import { resultOfRow } from './result-row.ts';

/** Rows per read, so that a slow consumer delays no checkpoint, and no read of a database times out. */
export const ROWS_PER_READ = 200;

/** Reads the complete checks that match a condition, newest first or in log order. */
export async function entriesWhere(
  db: Queries,
  { checks, activeSettings, isUndelivered, logged }: LogTables,
  condition: SQL | undefined,
  order: 'newest first' | 'as logged' = 'newest first',
): Promise<LogEntry[]> {
  const { requestId, decision, probability, coverage, caution, host, url, record } = checks;
  const { via, list, entry, listOwner, clientHash } = checks;
  const rows = await db
    .select({
      ...{ requestId, decision, probability, coverage, caution, host, url, record, via, list, entry, listOwner },
      ...{ settings: activeSettings.settings, clientHash, isUndelivered: isUndelivered.checks },
    })
    .from(checks)
    .leftJoin(activeSettings, eq(activeSettings.id, checks.activeSettingsId))
    .where(condition)
    .orderBy(order === 'as logged' ? asc(logged.checks) : desc(requestId));
  return rows.map(({ clientHash: hash, isUndelivered: isLost, ...row }) => ({
    result: resultOfRow(row),
    clientHash: hash?.toString('hex') ?? null,
    isDelivered: !isLost,
  }));
}

/** Returns a check by id; null if the log has none. */
export async function findEntry({ tables, run }: ReadableLog, requestId: string): Promise<LogEntry | null> {
  if (!isRequestId(requestId)) return null;
  const [found] = await run((db) => entriesWhere(db, tables, tables.haveIds('checks', [requestId])));
  return found ?? null;
}

/** Reads matching checks, newest first, as they are consumed. */
export async function* readLogEntries(
  log: ReadableLog,
  filter: CheckFilter,
  together = ROWS_PER_READ,
): AsyncGenerator<LogEntry> {
  let after: string | null = null;
  do {
    const span: Span = { after, newest: null };
    const read: { last: string | null; entries: LogEntry[] } = await log.run(async (db) => {
      const { last, are } = await log.find(db, filter, span, together);
      return { last, entries: last === null ? [] : await entriesWhere(db, log.tables, are) };
    });
    yield* read.entries;
    after = read.last;
  } while (after !== null);
}

/** Reads the latest checks of messages in a span. */
export async function messagesIn(
  db: Queries,
  log: Pick<ReadableLog, 'tables' | 'findMessages'>,
  filter: MessageFilter,
  span: Span,
  limit: number,
): Promise<MessageEntry[]> {
  return await messagesWhere(db, log.tables, log.findMessages(filter, span, limit), limit);
}

async function messagesWhere(
  db: Queries,
  { messages, activeSettings, isUndelivered, modelVersion }: LogTables,
  condition: SQL | undefined,
  limit: number,
): Promise<MessageEntry[]> {
  const rows = await db
    .select({ ...columnsOf(messages), modelVersion, isUndelivered: isUndelivered.messages })
    .from(messages)
    .leftJoin(activeSettings, eq(activeSettings.id, messages.activeSettingsId))
    .where(condition)
    .orderBy(desc(messages.requestId))
    .limit(limit);
  return rows.map(messageEntry);
}

/** Reads the checks of messages, newest first, as they are consumed. */
export async function* readMessageEntries(log: ReadableLog, filter: MessageFilter): AsyncGenerator<MessageEntry> {
  let after: string | null = null;
  do {
    const span: Span = { after, newest: null };
    const found: MessageEntry[] = await log.run((db) => messagesIn(db, log, filter, span, ROWS_PER_READ));
    yield* found;
    after = found.at(-1)?.message.request_id ?? null;
  } while (after !== null);
}

/** Returns the check of a message by id; null if the log has none. */
export async function findMessage({ tables, run }: ReadableLog, requestId: string): Promise<MessageEntry | null> {
  if (!isRequestId(requestId)) return null;
  const [found] = await run((db) => messagesWhere(db, tables, tables.haveIds('messages', [requestId]), 1));
  return found ?? null;
}
