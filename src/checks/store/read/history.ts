import { eq, inArray } from 'drizzle-orm';
import { oneARound } from '#src/core/base/once-per-round.ts';
import type { HistoryItem, HistoryPage } from '#src/checks/record/history-page.ts';
import type { HistorySummary } from '#src/checks/record/history-summary.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks, inForce } from '../file/schema.ts';
import type { HistoryQuery, HistoryWalk, SearchFilter } from '../scan-log.ts';
import { type After, type FilterUpTo, newest, withRequestIds } from './check-filter.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findChecks, newestIdOf } from './find-checks.ts';
import { historyItem } from './history-item.ts';
import {
  momentOf,
  type NextChecks,
  type Searched,
  type SeenCheck,
  searchChecks,
  searchTest,
  summarizeChecks,
} from './search.ts';
import { MODEL_VERSION, SUMMARY_COLUMNS } from './summary-columns.ts';
import { walkFile } from './walk-file.ts';

/** How what reads a file is run: what goes wrong is told as a fault of the file. */
type Reading = <T>(query: () => T | Promise<T>) => Promise<T>;

/** The history of a log in a file. However many search at once, a check waits for one look of all of them at most. */
export function openHistory(log: LogFile, reading: Reading) {
  const nextRound = oneARound();

  /** The checks that match all but a text, a look at a time. */
  const lookThrough =
    (filter: FilterUpTo): NextChecks =>
    async (afterId, limit) => {
      await nextRound();
      return seenChecks(log, filter, afterId, limit);
    };

  async function pageOf(query: HistoryQuery): Promise<HistoryPage> {
    const after = query.cursor === null ? null : readCursor(query.cursor);
    const bounded = { ...query, newestId: after?.newestId ?? newestIdOf(log) };
    const isMeant = searchTest(query);
    if (isMeant === null) return plainPage(log, bounded, after);
    if (!knowsModel(log, query)) return { items: [], next_cursor: null };
    const from = { isMeant, afterId: after?.requestId ?? null, limit: query.limit };
    return searchedPage(log, bounded, await searchChecks(lookThrough(bounded), from));
  }

  async function summaryOf(filter: SearchFilter): Promise<HistorySummary> {
    return await summarizeChecks(lookThrough({ ...filter, newestId: newestIdOf(log) }), searchTest(filter));
  }

  return {
    page: (query: HistoryQuery) => reading(() => pageOf(query)),
    summary: (filter: SearchFilter) => reading(() => summaryOf(filter)),
    walk: (query: HistoryWalk) => reading(() => walkFile(log, query)),
  };
}

/** Without it, a page for an unknown model would look through the whole log, 5,000 checks at a time. */
function knowsModel({ db }: LogFile, { modelVersion = null }: SearchFilter): boolean {
  if (modelVersion === null) return true;
  return db.select({ id: inForce.id }).from(inForce).where(eq(MODEL_VERSION, modelVersion)).limit(1).all().length > 0;
}

type BoundedQuery = HistoryQuery & { readonly newestId: number };

function plainPage(log: LogFile, query: BoundedQuery, after: After): HistoryPage {
  const found = findChecks(log, query, after, query.limit + 1);
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: itemsAt(
      log,
      shown.map(({ id }) => id),
    ),
    next_cursor:
      found.length > shown.length && last ? writeCursor({ requestId: last.requestId, newestId: query.newestId }) : null,
  };
}

function searchedPage(
  log: LogFile,
  { limit, newestId }: BoundedQuery,
  { requestIds, goesOnAfter, isBounded }: Searched,
): HistoryPage {
  const rows = log.db
    .select({ id: checks.id, requestId: checks.requestId })
    .from(checks)
    .where(withRequestIds(requestIds))
    .all();
  const ids = newest(rows, limit).map(({ id }) => id);
  return {
    items: itemsAt(log, ids),
    next_cursor: goesOnAfter && writeCursor({ requestId: goesOnAfter, newestId }),
    ...(isBounded && goesOnAfter !== null && { searched_back_to: momentOf(goesOnAfter) }),
  };
}

function seenChecks(log: LogFile, filter: FilterUpTo, afterId: string | null, limit: number): SeenCheck[] {
  const found = findChecks(log, filter, afterId === null ? null : { requestId: afterId }, limit);
  const rows = log.db
    .select(SUMMARY_COLUMNS)
    .from(checks)
    .leftJoin(inForce, eq(inForce.id, checks.inForceId))
    .where(
      inArray(
        checks.id,
        found.map((one) => one.id),
      ),
    )
    .all();
  const seen = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap((one) => seen.get(one.id) ?? []);
}

function itemsAt({ db }: LogFile, ids: number[]): HistoryItem[] {
  const rows = db
    .select(SUMMARY_COLUMNS)
    .from(checks)
    .leftJoin(inForce, eq(inForce.id, checks.inForceId))
    .where(inArray(checks.id, ids))
    .all();
  const items = new Map(rows.map((row) => [row.id, historyItem(row)]));
  return ids.flatMap((one) => items.get(one) ?? []);
}
