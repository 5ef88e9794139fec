import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm';
import type { HistoryItem, HistoryPage, HistorySummary } from '#src/checks/record/history-page.ts';
import { oncePerRound } from '#src/core/base/timers.ts';
import type { LogFile } from '../file/log-file.ts';
import { activeSettings, checks, lastDeleted } from '../file/schema.ts';
import type { HistoryQuery, HistoryWalk, SearchFilter, WalkedPage } from '../scan-log.ts';
import { createActivity } from './activity.ts';
import type { After } from './check-filter.ts';
import { countedInFile, isCounted } from './counted-summary.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findChecks, newestIdOf } from './find-checks.ts';
import { historyItem } from './history-item.ts';
import { momentOf, searchTest } from './search.ts';
import { MODEL_VERSION } from './search-condition.ts';
import { type FoundInFile, searchFile, summarizeFile } from './search-file.ts';
import { MAX_SCANNED, placeIn, readPlace, walkedPage } from './walk.ts';

/** Runs a query and reports its errors as faults of the file. */
type Reading = <T>(query: () => T | Promise<T>, what?: 'statistics') => Promise<T>;

/**
 * Opens the history of a log in a file. However many searches run, a check waits for at most one batch of one of them.
 */
export function openHistory(log: LogFile, reading: Reading) {
  const searched = { db: log.db, nextRound: oncePerRound() };
  const activity = createActivity(log);

  async function pageOf(query: HistoryQuery): Promise<HistoryPage> {
    const after = query.cursor === null ? null : readCursor(query.cursor);
    const bounded = { ...query, newestId: after?.newestId ?? newestIdOf(log) };
    if (searchTest(query) === null) return plainPage(log, bounded, after);
    if (!knowsModel(log, query)) return { items: [], next_cursor: null };
    return searchedPage(log, bounded, await searchFile(searched, bounded, after, query.limit));
  }

  async function summaryOf(filter: SearchFilter): Promise<HistorySummary> {
    if (log.visibility === 'public' && isCounted(filter)) return countedInFile(log, filter);
    return await summarizeFile(searched, { ...filter, newestId: newestIdOf(log) });
  }

  return {
    page: (query: HistoryQuery) => reading(() => pageOf(query)),
    summary: (filter: SearchFilter) => reading(() => summaryOf(filter)),
    walk: (query: HistoryWalk) => reading(() => walkFile(log, query)),
    activity: (nowMs: number) => reading(() => activity.read(nowMs), 'statistics'),
    settle: activity.settle,
  };
}

/**
 * Returns false if no check was classified by this model version. A search would otherwise scan the whole log, 5,000
 * checks per page.
 */
function knowsModel({ db }: LogFile, { modelVersion = null }: SearchFilter): boolean {
  if (modelVersion === null) return true;
  return (
    db.select({ id: activeSettings.id }).from(activeSettings).where(eq(MODEL_VERSION, modelVersion)).limit(1).all()
      .length > 0
  );
}

type BoundedQuery = HistoryQuery & { readonly newestId: number };

function plainPage(log: LogFile, query: BoundedQuery, after: After): HistoryPage {
  const { ids } = findChecks(log, query, after, query.limit + 1);
  const items = itemsAt(log, ids.slice(0, query.limit));
  const last = items.at(-1);
  return {
    items,
    next_cursor:
      ids.length > query.limit && last ? writeCursor({ requestId: last.request_id, newestId: query.newestId }) : null,
  };
}

function searchedPage(
  log: LogFile,
  { newestId }: BoundedQuery,
  { ids, continuesAfter, isBounded }: FoundInFile,
): HistoryPage {
  return {
    items: itemsAt(log, ids),
    next_cursor: continuesAfter && writeCursor({ requestId: continuesAfter, newestId }),
    ...(isBounded && continuesAfter !== null && { searched_back_to: momentOf(continuesAfter) }),
  };
}

function itemsAt({ db }: LogFile, ids: readonly number[]): HistoryItem[] {
  const rows = db
    .select(SUMMARY_COLUMNS)
    .from(checks)
    .leftJoin(activeSettings, eq(activeSettings.id, checks.activeSettingsId))
    .where(inArray(checks.id, [...ids]))
    .all();
  const items = new Map(rows.map((row) => [row.id, historyItem(row)]));
  return ids.flatMap((one) => items.get(one) ?? []);
}

/**
 * Returns the checks logged after a place, in log order. Writers are serialized and no number is reused, so that a
 * later commit has a later number.
 *
 * @throws BadCursorError for a place that this log did not return
 */
function walkFile(
  { database, db, recovery }: Pick<LogFile, 'database' | 'db' | 'recovery'>,
  { after, limit, ...filter }: HistoryWalk,
): WalkedPage {
  const place = readPlace(after);
  const newestId = newestIdOf({ database });
  const deletedId = db.select({ id: lastDeleted.checkId }).from(lastDeleted).get()?.id ?? 0;
  const standing = db.select({ requestId: checks.requestId }).from(checks).where(eq(checks.id, place.id)).get();
  const from = placeIn(place, Math.max(newestId, deletedId), standing?.requestId ?? null);
  // What comes back must not be passed by; what was logged since comes after it.
  const untilId = recovery && from.id < recovery.untilId ? recovery.reachedId : newestId;
  const rows = db
    .select({ ...SUMMARY_COLUMNS, host: checks.host })
    .from(checks)
    .leftJoin(activeSettings, eq(activeSettings.id, checks.activeSettingsId))
    .where(and(gt(checks.id, from.id), lte(checks.id, untilId)))
    .orderBy(asc(checks.id))
    .limit(MAX_SCANNED)
    .all();
  return walkedPage(rows, { from, isLast: rows.length < MAX_SCANNED, limit, filter });
}

/** Columns that the history shows and filters by. */
const SUMMARY_COLUMNS = {
  id: checks.id,
  requestId: checks.requestId,
  url: checks.url,
  probability: checks.probability,
  decision: checks.decision,
  coverage: checks.coverage,
  caution: checks.caution,
  via: checks.via,
  reasons: checks.reasons,
  list: checks.list,
  entry: checks.entry,
  listOwner: checks.listOwner,
  modelVersion: MODEL_VERSION,
};
