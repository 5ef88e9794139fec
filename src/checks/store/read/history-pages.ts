import { and, asc, count, desc, eq, gt, gte, inArray, lt, lte, or, type SQL, sql, sum } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { HistoryPage, HistorySummary } from '#src/checks/record/history-page.ts';
import type { MessagePage } from '#src/checks/record/message-record.ts';
import { numbersOfReason } from '#src/checks/record/pack/pack-reasons.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';
import type { MessagePageQuery } from '../messages/stored-message.ts';
import {
  BadCursorError,
  type HistoryQuery,
  type HistoryWalk,
  type SearchFilter,
  type WalkedPage,
} from '../scan-log.ts';
import { decisionsOf, type Position, type Span, within } from './check-filter.ts';
import type { Queries } from './queries.ts';
import { messagesIn } from './read-entries.ts';
import type { DayCount, FoundChecks, LogTables, ReadableLog, RecordKind } from './readable-log.ts';
import { historyItem, type SummaryRow } from './result-row.ts';
import { momentOf, searchTest, textKey } from './search.ts';
import { MAX_SCANNED, placeIn, readPlace, walkedPage, writePlace } from './walk.ts';

/** Returns what `searchTest` tests, as a condition; undefined if the filter has no such member. */
export function searchCondition(tables: LogTables, filter: SearchFilter): SQL | undefined {
  const { checks, haveReason, withoutIndex } = tables;
  const { coverage = null, caution = null, via = null, list = null, entry = null } = filter;
  const { reason = null, modelVersion = null } = filter;
  const key = textKey(filter.text);
  return and(
    key === null ? undefined : isInHostOrPath(tables, key),
    coverage === null ? undefined : eq(checks.coverage, coverage),
    caution === null ? undefined : eq(checks.caution, caution),
    via === null ? undefined : eq(checks.via, via),
    // Not by the index of lists: the checks are given by their ids.
    list === null ? undefined : sql`${withoutIndex(checks.list)} = ${list}`,
    entry === null ? undefined : sql`${withoutIndex(checks.entry)} = ${entry}`,
    modelVersion === null ? undefined : inArray(checks.activeSettingsId, withModel(tables, modelVersion)),
    reason === null ? undefined : (or(...numbersOfReason(reason).map(haveReason)) ?? sql`false`),
  );
}

/** Returns the active settings of a model version. */
const withModel = ({ activeSettings, modelVersion }: LogTables, version: string) =>
  sql`(select ${activeSettings.id} from ${activeSettings} where ${modelVersion} = ${version})`;

/** The first place of the text decides: later ones are no nearer to the beginning of the query. */
function isInHostOrPath({ checks: { url }, placeOf }: LogTables, key: string): SQL {
  const scheme = placeOf(sql`${url}`, '://');
  const rest = sql`lower(substr(${url}, ${scheme} + 3))`;
  const place = placeOf(rest, key);
  const before = sql`substr(${rest}, 1, ${place} + ${sql.raw(String(key.length - 1))})`;
  return sql`${place} > 0 and ${scheme} > 0 and ${placeOf(before, '?')} = 0 and ${placeOf(before, '#')} = 0`;
}

/** Position after which a list continues. */
interface Cursor extends Pick<Position, 'requestId'> {
  /** Id of the latest check when the list began: later ones are not on it, whatever their time. */
  readonly newestId: number;
}

const REQUEST_ID_BYTES = 16;
const CURSOR_BYTES = REQUEST_ID_BYTES + 6;

/** Encodes a cursor as URL-safe text. */
export function writeCursor({ requestId, newestId }: Cursor): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  requestIdBytes(requestId).copy(bytes);
  bytes.writeUIntBE(newestId, REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES);
  return bytes.toString('base64url');
}

/** Decodes a cursor. Throws BadCursorError for text that {@link writeCursor} did not write. */
export function readCursor(text: string): Cursor {
  const bytes = Buffer.from(text.slice(0, 2 * CURSOR_BYTES), 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== text) throw new BadCursorError();
  return {
    requestId: requestIdText(bytes.subarray(0, REQUEST_ID_BYTES)),
    newestId: bytes.readUIntBE(REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES),
  };
}

/** Maximum number of checks per search, so that its cost does not grow with the log. */
export const MAX_SEARCHED = 5000;

/** Checks per batch, of which SQLite tests as many in one to four milliseconds. */
const SEARCH_BATCH = MAX_SEARCHED / 2;

/**
 * Returns a page of the history, newest first. Its first page fixes the list, except for checks that other nodes are
 * committing at that moment.
 *
 * @throws BadCursorError
 */
export async function historyPage(log: ReadableLog, query: HistoryQuery): Promise<HistoryPage> {
  const { tables } = log;
  const { limit } = query;
  const [span, cursorAfter] = await spanOf(log, 'checks', query.cursor);
  if (searchTest(query) === null) {
    const found = await log.run(async (db) => {
      const { are } = await log.find(db, query, span, limit + 1);
      return await summaries(db, tables, are);
    });
    return pageOf(found.slice(0, limit), found.length > limit ? (found[limit - 1]?.requestId ?? null) : null);
  }
  if (!(await log.run((db) => knowsModel(db, tables, query)))) return pageOf([], null);
  const found: SummaryRow[] = [];
  const search = searched(log, query, span, (db, are) => summaries(db, tables, are).limit(limit + 1 - found.length));
  for await (const { rows, isLast, last } of search) {
    found.push(...rows);
    if (found.length > limit) return pageOf(found.slice(0, limit), found[limit - 1]?.requestId ?? null);
    if (isLast) return pageOf(found, null);
    span.after = last;
  }
  return { ...pageOf(found, span.after), ...(span.after !== null && { searched_back_to: momentOf(span.after) }) };

  function pageOf(rows: readonly SummaryRow[], continuesAfter: string | null): HistoryPage {
    return { items: rows.map(historyItem), next_cursor: continuesAfter && cursorAfter(continuesAfter) };
  }
}

/** Returns a page of the checks of messages, newest first. Throws BadCursorError. */
export async function messagePage(
  log: ReadableLog,
  { cursor, limit, ...filter }: MessagePageQuery,
): Promise<MessagePage> {
  const [span, cursorAfter] = await spanOf(log, 'messages', cursor);
  const found = await log.run((db) => messagesIn(db, log, filter, span, limit + 1));
  const items = found.slice(0, limit).map(({ message }) => message);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last ? cursorAfter(last.request_id) : null };
}

async function spanOf(log: ReadableLog, kind: RecordKind, cursor: string | null) {
  const place = cursor === null ? null : readCursor(cursor);
  const newest = place?.newestId ?? (await log.run((db) => log.lastLogged(db, kind)));
  const span: { -readonly [Name in keyof Span]: Span[Name] } = { after: place?.requestId ?? null, newest };
  return [span, (requestId: string) => writeCursor({ requestId, newestId: newest })] as const;
}

/**
 * Returns the checks logged after a place, in log order.
 *
 * @throws BadCursorError for a place that this log did not return
 */
export async function walkLog(log: ReadableLog, { after, limit, ...filter }: HistoryWalk): Promise<WalkedPage> {
  const { checks, activeSettings, logged } = log.tables;
  const place = readPlace(after);
  return await log.run(async (db) => {
    const ends = await log.walkEnds(db);
    // The complete range is unknown: the place stays.
    if (ends === null) return { items: [], next: writePlace(place), isEnd: true };
    const { requestId, host } = checks;
    const [standing] = await db.select({ requestId }).from(checks).where(eq(logged.checks, place.id)).limit(1);
    const from = placeIn(place, ends.last, standing?.requestId ?? null);
    const rows = await db
      .select({ ...summaryColumns(log.tables), id: logged.checks, host })
      .from(checks)
      .leftJoin(activeSettings, eq(activeSettings.id, checks.activeSettingsId))
      .where(and(gt(logged.checks, from.id), lte(logged.checks, ends.until(from.id))))
      .orderBy(asc(logged.checks))
      .limit(MAX_SCANNED);
    return walkedPage(rows, { from, isLast: rows.length < MAX_SCANNED, limit, filter });
  });
}

/** Columns that the history shows and filters by. */
function summaryColumns({ checks, modelVersion }: LogTables) {
  const { requestId, url, probability, decision, coverage, caution, via, reasons, list, entry, listOwner } = checks;
  const decided = { via, reasons, list, entry, listOwner };
  return { requestId, url, probability, decision, coverage, caution, ...decided, modelVersion };
}

function summaries(db: Queries, tables: LogTables, condition: SQL | undefined) {
  const { checks, activeSettings } = tables;
  return db
    .select(summaryColumns(tables))
    .from(checks)
    .leftJoin(activeSettings, eq(activeSettings.id, checks.activeSettingsId))
    .where(condition)
    .orderBy(desc(checks.requestId));
}

/**
 * Returns false if no check was classified by this model version. A search would otherwise scan the whole log, 5,000
 * checks per page.
 */
async function knowsModel(db: Queries, tables: LogTables, { modelVersion = null }: SearchFilter): Promise<boolean> {
  if (modelVersion === null) return true;
  const { id } = tables.activeSettings;
  const found = db.select({ id }).from(tables.activeSettings).where(eq(tables.modelVersion, modelVersion)).limit(1);
  return (await found).length > 0;
}

/** A batch of a search with what was read of those that match. */
interface Batch<Row> extends Pick<FoundChecks, 'last'> {
  readonly rows: readonly Row[];
  /** True if no other checks follow. */
  readonly isLast: boolean;
}

/** Reads batches of checks that match a filter, newest first, at most {@link MAX_SEARCHED} in all. */
async function* searched<Row>(
  log: ReadableLog,
  filter: SearchFilter,
  { after, newest }: Span,
  read: (db: Queries, are: SQL | undefined, days?: FoundChecks['days']) => Row[] | PromiseLike<Row[]>,
): AsyncGenerator<Batch<Row>> {
  // With a domain, its index is read instead of that of the entries.
  const isOfEntry = filter.domain === null && (filter.list ?? null) !== null && (filter.entry ?? null) !== null;
  const unindexed = searchCondition(log.tables, isOfEntry ? { ...filter, list: null, entry: null } : filter);
  let last = after;
  for (let looked = 0; looked < MAX_SEARCHED; looked += SEARCH_BATCH) {
    await log.turn();
    const span = { after: last, newest };
    const batch = await log.run(async (db) => {
      const found = await log.find(db, filter, span, SEARCH_BATCH);
      const days = unindexed === undefined ? found.days : undefined;
      const rows = found.count === 0 ? [] : await read(db, and(found.are, unindexed), days);
      return { last: found.last, rows, isLast: found.count < SEARCH_BATCH };
    });
    yield batch;
    if (batch.isLast) return;
    ({ last } = batch);
  }
}

/** Counts the matching checks by decision and day: all if the counts by hour answer the filter, else the latest. */
export async function historySummary(log: ReadableLog, filter: SearchFilter): Promise<HistorySummary> {
  if (log.isCounted && isWhole(filter)) return await log.run((db) => countedSummary(db, log.tables, filter));
  const newest = await log.run((db) => log.lastLogged(db, 'checks'));
  const { checks, startMs, ends } = log.tables;
  const dayMs = dayOf(startMs);
  const bucket = sql<number>`${checks.decision}`.mapWith(Number);
  const days: DayCount[] = [];
  let searchedTo: string | null = null;
  for await (const { rows, isLast, last } of searched(log, filter, { after: null, newest }, readDays)) {
    days.push(...rows);
    searchedTo = isLast ? null : last;
  }
  const [firsts, lasts] = [days.map(({ first }) => first), days.map(({ last }) => last)];
  return { ...summaryOf(days, [...firsts, ...lasts]), counted_back_to: momentOf(searchedTo) };

  function readDays(db: Queries, are: SQL | undefined) {
    return db
      .select({ dayMs, bucket, checks: count(), ...ends })
      .from(checks)
      .where(are)
      .groupBy(dayMs, bucket);
  }
}

/** Returns true if the counts by hour answer a filter: it names decisions and whole hours alone. */
function isWhole(filter: SearchFilter): boolean {
  const isHour = (ms: number | null) => ms === null || ms % HOUR_MS === 0;
  return filter.domain === null && searchTest(filter) === null && isHour(filter.fromMs) && isHour(filter.untilMs);
}

const DAY = sql.raw(String(DAY_MS));

/** Start of the day of a moment, both in whole milliseconds since the Unix epoch. */
const dayOf = (ms: Parameters<typeof sql>[1]) => sql<number>`${ms} / ${DAY} * ${DAY}`.mapWith(Number);

async function countedSummary(db: Queries, { checks, counts, logged }: LogTables, filter: SearchFilter) {
  const { measure, periodStartMs, bucket } = counts;
  const dayMs = dayOf(periodStartMs);
  const rows = db
    .select({ dayMs, bucket, checks: sum(counts.checks).mapWith(Number) })
    .from(counts)
    .where(
      and(
        eq(measure, 'decision_by_hour'),
        filter.decision === null ? undefined : eq(bucket, DECISIONS.indexOf(filter.decision)),
        filter.fromMs === null ? undefined : gte(periodStartMs, filter.fromMs),
        filter.untilMs === null ? undefined : lt(periodStartMs, filter.untilMs),
      ),
    )
    .groupBy(dayMs, bucket);
  const { requestId } = checks;
  const ends = decisionsOf(filter).flatMap((decision) =>
    [asc(requestId), desc(requestId)].map((order) =>
      db
        .select({ requestId })
        .from(checks)
        .where(and(eq(checks.decision, decision), within({ requestId, logged: logged.checks }, filter)))
        .orderBy(order)
        .limit(1),
    ),
  );
  const [days, ...found] = await Promise.all([rows, ...ends]);
  return summaryOf(
    days,
    found.flat().map((row) => row.requestId),
  );
}

/** Returns the summary of counts, and of ids among which are those of the first and the last check. */
function summaryOf(rows: readonly Omit<DayCount, 'first' | 'last'>[], ids: readonly (string | null)[]): HistorySummary {
  const total = { allow: 0, warn: 0, block: 0 };
  const days = new Map<number, typeof total>();
  for (const { dayMs, bucket, checks: counted } of rows.toSorted((a, b) => a.dayMs - b.dayMs)) {
    const decision = DECISIONS[bucket];
    if (decision === undefined) continue;
    total[decision] += counted;
    days.getOrInsertComputed(dayMs, () => ({ allow: 0, warn: 0, block: 0 }))[decision] += counted;
  }
  const sorted = ids.filter((id) => id !== null).toSorted();
  return {
    checks: total,
    first_at: momentOf(sorted[0] ?? null),
    last_at: momentOf(sorted.at(-1) ?? null),
    days: [...days].map(([dayMs, counted]) => ({ start: new Date(dayMs).toISOString(), ...counted })),
    counted_back_to: null,
  };
}
