import { and, count, desc, eq, gt, gte, inArray, lt, notBetween, sql } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { requestIdBytes, requestIdLowerBound, requestIdMs } from '#src/core/base/request-id.ts';
import { oncePerRound } from '#src/core/base/timers.ts';
import { countedHost, hostOfRow } from '../domains/host-suffixes.ts';
import { asStoreError } from '../file/fault.ts';
import { freeDiskPercent } from '../file/file-system.ts';
import { type LogFile, withoutSync } from '../file/log-file.ts';
import { checks, counts, MEASURES } from '../file/schema.ts';
import type { MessagePageQuery } from '../messages/stored-message.ts';
import type { HistoryQuery, HistoryWalk, LogActivity, LogTail, SearchFilter } from '../scan-log.ts';
import { type CountedCheck, periodStart } from '../write/counters.ts';
import { type CheckFilter, ofDecision } from './check-filter.ts';
import { FILE_TABLES, newestIdOf, readFile } from './find-checks.ts';
import { historyPage, historySummary, messagePage, walkLog } from './history-pages.ts';
import { type Queries, queriesOf, rowsOf } from './queries.ts';
import { entriesWhere, ROWS_PER_READ } from './read-entries.ts';
import type { LogTables } from './readable-log.ts';
import { rowFilter } from './search.ts';
import {
  byPeriod,
  type Figures,
  firstHourShown,
  HOURS,
  hourlyCounts,
  mostBlocked,
  readFigures,
  statsOf,
} from './stats.ts';

/** Maximum number of blocked checks whose sites are counted, so that the cost does not grow with the log. */
const LATEST_BLOCKED = 500;

/** Maximum number of checks whose coverage is counted, likewise. */
const LATEST_CHECKS = 200;

/** Time after the end of an hour for which a check of it may still be logged. */
const SETTLED_MS = 10 * MINUTE_MS;

type HourCount = Figures['hourly'][number];

/** Reads the last 24 hours as of `nowMs`, whose checks are counted by hour. */
export async function readActivity(
  db: Queries,
  { checks: table, logged }: LogTables,
  hourly: readonly HourCount[],
  nowMs: number,
): Promise<LogActivity> {
  const firstMs = firstHourShown(nowMs);
  const { host, decidingHost, url, decision, requestId, coverage } = table;
  const blocked = db
    .select({ host, decidingHost, url })
    .from(table)
    .where(and(eq(decision, 'block'), gte(requestId, requestIdLowerBound(firstMs))))
    .orderBy(desc(requestId))
    .limit(LATEST_BLOCKED);
  const newest = db.select({ coverage, requestId }).from(table).orderBy(desc(logged.checks)).limit(LATEST_CHECKS);
  const [rows, latest] = await Promise.all([blocked, newest]);
  const today = latest.filter((row) => requestIdMs(row.requestId) >= periodStart(nowMs, DAY_MS));
  return {
    hours: byPeriod(hourly, firstMs, HOUR_MS, HOURS),
    blocked: countSites(rows),
    coverages: today.map((row) => row.coverage),
  };
}

/** Counts blocked checks by site, in the order of their rows. */
function countSites(rows: readonly Pick<CountedCheck, 'host' | 'decidingHost' | 'url'>[]): ReadonlyMap<string, number> {
  const sites = new Map<string, number>();
  // Most are of the same few hosts, whose sites are looked up once.
  for (const ofHost of Map.groupBy(rows, (row) => row.decidingHost ?? hostOfRow(row).text).values()) {
    const { site } = ofHost[0] ? countedHost(ofHost[0]) : { site: '' };
    sites.set(site, (sites.get(site) ?? 0) + ofHost.length);
  }
  return sites;
}

/**
 * Creates the reader of the last 24 hours of a file. The public file counts checks as they are logged. In the private
 * one the index of decisions is counted, an hour at a time between other work.
 */
function createActivity(log: Pick<LogFile, 'database' | 'db' | 'visibility' | 'recovery' | 'settledMs'>) {
  const { db } = log;
  const nextRound = oncePerRound();
  // Prepared with the first question: a start should not wait for a statement that may not be needed.
  let inHour: ReturnType<typeof prepareCount> | null = null;

  function countHour(startMs: number): readonly HourCount[] {
    // A placeholder takes what the column stores.
    const bytesAt = (ms: number) => requestIdBytes(requestIdLowerBound(ms));
    const span = { from: bytesAt(startMs), until: bytesAt(startMs + HOUR_MS) };
    inHour ??= prepareCount(db);
    const counted = inHour;
    return DECISIONS.map((_, bucket) => ({
      periodStartMs: startMs,
      bucket,
      checks: counted.get({ decision: bucket, ...span })?.checks ?? 0,
    }));
  }

  const storedHours = (firstMs: number, untilMs: number): readonly HourCount[] =>
    rowsOf(hourlyCounts(queriesOf(db), FILE_TABLES.counts, 'decision_by_hour', firstMs, untilMs));

  const hoursOf = (firstMs: number, nowMs: number) =>
    Map.groupBy(storedHours(firstMs, nowMs), ({ periodStartMs }) => periodStartMs);

  /** Yields the hours up to `untilMs` that are not stored, each in a turn of its own. */
  async function* unsettled(firstMs: number, untilMs: number): AsyncGenerator<number> {
    const stored = hoursOf(firstMs, untilMs);
    for (let startMs = firstMs; startMs <= untilMs; startMs += HOUR_MS) {
      if (stored.has(startMs)) continue;
      await nextRound();
      yield startMs;
    }
  }

  async function hoursSince(firstMs: number, nowMs: number): Promise<readonly HourCount[]> {
    if (log.visibility === 'public') return storedHours(firstMs, nowMs);
    const counted = new Map<number, readonly HourCount[]>();
    for await (const startMs of unsettled(firstMs, nowMs)) counted.set(startMs, countHour(startMs));
    const stored = hoursOf(firstMs, nowMs);
    // An hour that was stored may have lost checks meanwhile.
    const hours = Array.from({ length: HOURS }, (_, hour) => firstMs + hour * HOUR_MS);
    return hours.flatMap((startMs) => counted.get(startMs) ?? stored.get(startMs) ?? countHour(startMs));
  }

  return {
    async read(nowMs: number) {
      const hourly = await hoursSince(firstHourShown(nowMs), nowMs);
      return await readActivity(queriesOf(db), FILE_TABLES, hourly, nowMs);
    },
    /**
     * Stores the counts of the hours of the private log that are over, once an hour, so that they are counted once. Writes
     * only when `unlessHeld` resolves.
     */
    async settle(nowMs: number, unlessHeld: () => Promise<void>) {
      const endMs = periodStart(nowMs - SETTLED_MS, HOUR_MS);
      // Checks that are copied back belong to any hour.
      if (log.visibility === 'public' || endMs === log.settledMs || log.recovery !== null) return;
      log.settledMs = endMs;
      const firstMs = firstHourShown(nowMs);
      for await (const startMs of unsettled(firstMs, endMs - HOUR_MS)) {
        await unlessHeld();
        // Counted in the turn that stores it: checks may be deleted in between.
        const rows = countHour(startMs).map((row) => ({ measure: MEASURES[0], ...row }));
        withoutSync(log, () => {
          db.insert(counts).values(rows).onConflictDoNothing().run();
          // A clock that was ahead has counted hours to come.
          db.delete(counts)
            .where(notBetween(counts.periodStartMs, firstMs, endMs - 1))
            .run();
        });
      }
    },
  };
}

/** Prepares the count of the checks of one decision in a span of request ids, which its index answers alone. */
function prepareCount(db: LogFile['db']) {
  return db
    .select({ checks: count() })
    .from(checks)
    .where(
      and(
        eq(checks.decision, sql.placeholder('decision')),
        gte(checks.requestId, sql.placeholder('from')),
        lt(checks.requestId, sql.placeholder('until')),
      ),
    )
    .prepare();
}

/** Runs a query and reports its errors as faults of the file. */
type Reading = <T>(query: () => T | Promise<T>, what?: 'statistics') => Promise<T>;

/**
 * Opens the history of a log in a file. However many searches run, a check waits for at most one batch of one of them.
 */
export function openHistory(log: LogFile, reading: Reading) {
  const file = readFile(log, oncePerRound());
  const activity = createActivity(log);
  return {
    file,
    page: (query: HistoryQuery) => reading(() => historyPage(file, query)),
    messagePage: (query: MessagePageQuery) => reading(() => messagePage(file, query)),
    summary: (filter: SearchFilter) => reading(() => historySummary(file, filter)),
    walk: (query: HistoryWalk) => reading(() => walkLog(file, query)),
    activity: (nowMs: number) => reading(() => activity.read(nowMs), 'statistics'),
    stats: (dataDir: string, nowMs: number) =>
      reading(async () => {
        const figures = await file.run((db) => readFigures(db, file.tables, nowMs));
        const names = { sites: mostBlocked(log, 'site'), suffixes: mostBlocked(log, 'suffix') };
        return statsOf({ ...figures, ...names }, nowMs, freeDiskPercent(dataDir));
      }, 'statistics'),
    settle: activity.settle,
  };
}

/** Follows the matching checks of a log from now on. Its calls throw StoreError if the file cannot be read. */
export function tailLog(log: LogFile, filter: CheckFilter): LogTail {
  const isMeant = rowFilter(filter);
  let lastId = newestIdOf(log);

  async function next() {
    const newestId = newestIdOf(log);
    const { id, requestId, host, url, decision } = checks;
    for (;;) {
      // In log order, for which there is no domain index.
      const rows = log.db
        .select({ id, requestId, host, url })
        .from(checks)
        .where(and(gt(id, lastId), ofDecision(decision, filter)))
        .orderBy(id)
        .limit(ROWS_PER_READ)
        .all();
      const isEnd = rows.length < ROWS_PER_READ;
      lastId = isEnd ? Math.max(lastId, newestId) : (rows.at(-1)?.id ?? lastId);
      const are = inArray(
        id,
        rows.filter(isMeant).map((row) => row.id),
      );
      const entries = await entriesWhere(queriesOf(log.db), FILE_TABLES, are, 'as logged');
      if (isEnd || entries.length > 0) return entries;
    }
  }

  return {
    async next() {
      try {
        return await next();
      } catch (error) {
        throw asStoreError(log.path, error);
      }
    },
  };
}
