import { inArray } from 'drizzle-orm';
import { oneARound } from '#src/base/one-a-round.ts';
import type { HistoryItem, HistoryPage } from '#src/record/history-page.ts';
import type { HistorySummary } from '#src/record/history-summary.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import type { HistoryQuery, ScanLog, SearchFilter } from '../scan-log.ts';
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
  summarizeChecks,
  textKey,
} from './search.ts';
import { walkFile } from './walk-file.ts';

/** How what reads a file is run: what goes wrong is told as a fault of the file. */
type Reading = <T>(query: () => T | Promise<T>) => Promise<T>;

/** The public history of a log in a file. However many search at once, a check waits for one look of all of them at most. */
export function openHistory(log: LogFile, reading: Reading): Pick<ScanLog, 'page' | 'summary' | 'walk'> {
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
    const key = textKey(query.text);
    if (key === null) return plainPage(log, bounded, after);
    const from = { key, afterId: after?.requestId ?? null, limit: query.limit };
    return searchedPage(log, bounded, await searchChecks(lookThrough(bounded), from));
  }

  async function summaryOf(filter: SearchFilter): Promise<HistorySummary> {
    return await summarizeChecks(lookThrough({ ...filter, newestId: newestIdOf(log) }), textKey(filter.text));
  }

  return {
    page: (query) => reading(() => pageOf(query)),
    summary: (filter) => reading(() => summaryOf(filter)),
    walk: (query) => reading(() => walkFile(log, query)),
  };
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
  const { id, requestId, url, decision } = checks;
  const rows = log.db
    .select({ id, requestId, url, decision })
    .from(checks)
    .where(
      inArray(
        id,
        found.map((one) => one.id),
      ),
    )
    .all();
  const seen = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap((one) => seen.get(one.id) ?? []);
}

function itemsAt({ db }: LogFile, ids: number[]): HistoryItem[] {
  const { id, requestId, url, probability, decision } = checks;
  const rows = db.select({ id, requestId, url, probability, decision }).from(checks).where(inArray(id, ids)).all();
  const items = new Map(rows.map((row) => [row.id, historyItem(row)]));
  return ids.flatMap((one) => items.get(one) ?? []);
}
