import { and, count, desc, inArray, max, min, sql } from 'drizzle-orm';
import type { HistorySummary } from '#src/checks/record/history-page.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { requestIdText } from '#src/core/base/request-id.ts';
import { type ListedCheck, msOfListed } from '../domains/find-by-domain.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import type { SearchFilter } from '../scan-log.ts';
import { periodStart } from '../write/counters.ts';
import type { After, FilterUpTo } from './check-filter.ts';
import { type DayCount, dayOf, summaryOfCounts } from './counted-summary.ts';
import { type FoundChecks, findChecks } from './find-checks.ts';
import { MAX_SEARCHED, momentOf } from './search.ts';
import { searchCondition } from './search-condition.ts';

/** Checks per batch, of which SQLite tests as many in one to four milliseconds. */
const SEARCH_BATCH = MAX_SEARCHED / 2;

/** Log with a turn of the event loop before each batch. */
export interface SearchedLog extends Pick<LogFile, 'db'> {
  readonly nextRound: () => Promise<void>;
}

/** A filter of the checks up to one of them. */
type BoundedFilter = SearchFilter & FilterUpTo;

/** Ids of the checks that a search found, newest first. */
export interface FoundInFile {
  readonly ids: readonly number[];
  /** The check after which there may be more; null if there are none. */
  readonly continuesAfter: string | null;
  /** True if the search stopped at its limit. */
  readonly isBounded: boolean;
}

/** Returns the `limit` newest matching checks after `after`, among at most {@link MAX_SEARCHED}. */
export async function searchFile(
  log: SearchedLog,
  filter: BoundedFilter,
  after: After,
  limit: number,
): Promise<FoundInFile> {
  const { id, requestId } = checks;
  const found: { readonly id: number; readonly requestId: string }[] = [];
  let last = after;
  for await (const batch of batchesOf(log, filter, after)) {
    const rows = log.db
      .select({ id, requestId })
      .from(checks)
      .where(meantIn(batch.ids, filter))
      .orderBy(desc(requestId))
      .limit(limit + 1 - found.length);
    found.push(...rows.all());
    const shown = found.slice(0, limit);
    const ids = shown.map((one) => one.id);
    if (found.length > limit) return { ids, continuesAfter: shown.at(-1)?.requestId ?? null, isBounded: false };
    if (batch.isLast) return { ids, continuesAfter: null, isBounded: false };
    last = batch.last;
  }
  return { ids: found.map((one) => one.id), continuesAfter: last?.requestId ?? null, isBounded: true };
}

/** Counts the latest checks that match, among at most {@link MAX_SEARCHED}. */
export async function summarizeFile(log: SearchedLog, filter: BoundedFilter): Promise<HistorySummary> {
  const isIndexed = unindexed(filter) === undefined;
  const days: DayCount[] = [];
  const ends: string[] = [];
  let searchedTo: After = null;
  for await (const batch of batchesOf(log, filter, null)) {
    if (isIndexed) {
      days.push(...batch.listed.map(dayOfListed));
      ends.push(...[batch.listed[0], batch.listed.at(-1)].flatMap((place) => (place ? requestIdText(place[1]) : [])));
    } else {
      const rows = daysOfMeant(log, batch, filter);
      days.push(...rows);
      ends.push(...rows.flatMap(({ first, last }) => [first ?? [], last ?? []].flat()));
    }
    searchedTo = batch.isLast ? null : batch.last;
  }
  ends.sort();
  const summary = summaryOfCounts(days, ends[0] ?? null, ends.at(-1) ?? null);
  return { ...summary, counted_back_to: momentOf(searchedTo?.requestId ?? null) };
}

function dayOfListed(place: ListedCheck): DayCount {
  return { dayMs: periodStart(msOfListed(place), DAY_MS), bucket: place[2], checks: 1 };
}

/** Counts the checks of a batch that match, by day and decision. */
function daysOfMeant({ db }: SearchedLog, { ids }: Batch, filter: BoundedFilter) {
  const { decision, requestId } = checks;
  // SQLite reads hexadecimal numbers in JSON5 alone.
  const dayMs = dayOf(sql`('0x' || hex(substr(${requestId}, 1, 6)) ->> '$')`);
  const bucket = sql<number>`${decision}`;
  return db
    .select({ dayMs, bucket, checks: count(), first: min(requestId), last: max(requestId) })
    .from(checks)
    .where(meantIn(ids, filter))
    .groupBy(dayMs, bucket)
    .all();
}

interface Batch extends FoundChecks {
  /** True if no other checks follow. */
  readonly isLast: boolean;
}

/** Yields batches of checks, newest first, that match the indexed members of a filter. */
async function* batchesOf(log: SearchedLog, filter: FilterUpTo, after: After): AsyncGenerator<Batch> {
  let last = after;
  for (let looked = 0; looked < MAX_SEARCHED; looked += SEARCH_BATCH) {
    await log.nextRound();
    const found = findChecks(log, filter, last, SEARCH_BATCH);
    const isLast = found.ids.length < SEARCH_BATCH;
    yield { ...found, isLast };
    if (isLast) return;
    last = found.last;
  }
}

/** Returns the condition that {@link findChecks} leaves to test. */
function unindexed(filter: BoundedFilter) {
  // With a domain, its index is read instead of that of the entries.
  const isOfEntry = filter.domain === null && (filter.list ?? null) !== null && (filter.entry ?? null) !== null;
  return searchCondition(isOfEntry ? { ...filter, list: null, entry: null } : filter);
}

function meantIn(ids: readonly number[], filter: BoundedFilter) {
  return and(inArray(checks.id, sql`(select value from json_each(${JSON.stringify(ids)}))`), unindexed(filter));
}
