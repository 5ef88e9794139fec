import { setImmediate } from 'node:timers/promises';
import { inArray } from 'drizzle-orm';
import type { HistoryItem, HistoryPage } from '#src/record/history-page.ts';
import type { HistorySummary } from '#src/record/history-summary.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import type { HistoryQuery, SearchFilter } from '../scan-log.ts';
import { type FilterUpTo, newest, withRequestIds } from './check-filter.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findChecks, newestIdOf } from './find-checks.ts';
import { historyItem } from './history-item.ts';
import { momentOf, type NextChecks, searchChecks, summarizeChecks, textKey } from './search.ts';

/**
 * A page, newest first. Checks that come in between two pages change neither what the second holds nor its order.
 *
 * @throws BadCursorError where the cursor is not one of ours
 */
export async function historyPage(log: LogFile, query: HistoryQuery): Promise<HistoryPage> {
  const after = query.cursor === null ? null : readCursor(query.cursor);
  const newestId = after?.newestId ?? newestIdOf(log);
  const key = textKey(query.text);
  if (key !== null) return await searchedPage(log, { ...query, newestId }, key, after?.requestId ?? null);
  const found = findChecks(log, { ...query, newestId }, after, query.limit + 1);
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: itemsAt(
      log,
      shown.map(({ id }) => id),
    ),
    next_cursor: found.length > shown.length && last ? writeCursor({ requestId: last.requestId, newestId }) : null,
  };
}

async function searchedPage(
  log: LogFile,
  query: HistoryQuery & { readonly newestId: number },
  key: string,
  afterId: string | null,
): Promise<HistoryPage> {
  const { requestIds, goesOnAfter, isBounded } = await searchChecks(nextChecks(log, query), {
    key,
    afterId,
    limit: query.limit,
  });
  const rows = log.db
    .select({ id: checks.id, requestId: checks.requestId })
    .from(checks)
    .where(withRequestIds(requestIds))
    .all();
  const ids = newest(rows, query.limit).map(({ id }) => id);
  return {
    items: itemsAt(log, ids),
    next_cursor: goesOnAfter && writeCursor({ requestId: goesOnAfter, newestId: query.newestId }),
    ...(isBounded && goesOnAfter !== null && { searched_back_to: momentOf(goesOnAfter) }),
  };
}

/** How many checks match, and when they were. */
export async function historySummary(log: LogFile, filter: SearchFilter): Promise<HistorySummary> {
  const key = textKey(filter.text);
  return await summarizeChecks(nextChecks(log, { ...filter, newestId: newestIdOf(log) }), key);
}

/** Between two looks, whoever waits for an answer is served. */
function nextChecks(log: LogFile, filter: FilterUpTo): NextChecks {
  return async (afterId, limit) => {
    await setImmediate();
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
  };
}

function itemsAt({ db }: LogFile, ids: number[]): HistoryItem[] {
  const { id, requestId, url, probability, decision } = checks;
  const rows = db.select({ id, requestId, url, probability, decision }).from(checks).where(inArray(id, ids)).all();
  const items = new Map(rows.map((row) => [row.id, historyItem(row)]));
  return ids.flatMap((one) => items.get(one) ?? []);
}
