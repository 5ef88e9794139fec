import { and, asc, desc, eq, gte, lt, sum } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { HistorySummary } from '#src/checks/record/history-page.ts';
import {
  countSites,
  coveragesToday,
  LATEST_BLOCKED,
  LATEST_CHECKS,
  type LogActivity,
} from '#src/checks/store/read/activity.ts';
import { decisionsOf } from '#src/checks/store/read/check-filter.ts';
import { dayOf, summaryOfCounts } from '#src/checks/store/read/counted-summary.ts';
import {
  byPeriod,
  type Figures,
  firstDayShown,
  firstHourShown,
  HOURS,
  inBuckets,
} from '#src/checks/store/read/stats.ts';
import type { SearchFilter } from '#src/checks/store/scan-log.ts';
import { ANSWER_TIME_BUCKETS, PROBABILITY_BUCKETS } from '#src/checks/store/write/buckets.ts';
import { HOUR_MS } from '#src/core/base/clock.ts';
import { requestIdLowerBound } from '#src/core/base/request-id.ts';
import { PG_MEASURES, pgChecks, pgCounts } from '../schema/tables.ts';
import { readBlockedNames } from './blocked-names.ts';

/** Reads the counts of all nodes as of `nowMs`. */
export async function readFigures(db: BunSQLDatabase, nowMs: number): Promise<Figures> {
  const firstDay = firstDayShown(nowMs);
  const [hourly, messages, probabilities, answerTimes, { sites, suffixes }] = await Promise.all([
    byHour(db, 'decision_by_hour', firstDay),
    byHour(db, 'message_by_hour', firstDay),
    byBucket(db, 'probability_by_day', firstDay),
    byBucket(db, 'answer_time_by_day', firstDay),
    readBlockedNames(db),
  ]);
  return {
    hourly,
    messages,
    probabilities: inBuckets(probabilities, PROBABILITY_BUCKETS),
    answerTimes: inBuckets(answerTimes, ANSWER_TIME_BUCKETS),
    sites,
    suffixes,
  };
}

/** Counts the checks of all nodes that match a filter which `isCounted` takes, however many there are. */
export async function countedInDatabase(db: BunSQLDatabase, filter: SearchFilter): Promise<HistorySummary> {
  const { decision, fromMs, untilMs } = filter;
  const { requestId } = pgChecks;
  const dayMs = dayOf(periodStartMs);
  const ends = decisionsOf(filter).flatMap((one) =>
    [asc(requestId), desc(requestId)].map((order) =>
      db
        .select({ requestId })
        .from(pgChecks)
        .where(
          and(
            eq(pgChecks.decision, one),
            fromMs === null ? undefined : gte(requestId, requestIdLowerBound(fromMs)),
            untilMs === null ? undefined : lt(requestId, requestIdLowerBound(untilMs)),
          ),
        )
        .orderBy(order)
        .limit(1),
    ),
  );
  const [rows, ...found] = await Promise.all([
    db
      .select({ dayMs, bucket, checks: counted })
      .from(pgCounts)
      .where(
        and(
          eq(measure, PG_MEASURES.decision_by_hour),
          decision === null ? undefined : eq(bucket, DECISIONS.indexOf(decision)),
          fromMs === null ? undefined : gte(periodStartMs, fromMs),
          untilMs === null ? undefined : lt(periodStartMs, untilMs),
        ),
      )
      .groupBy(dayMs, bucket),
    ...ends,
  ]);
  const ids = found.flatMap((one) => one.map((row) => row.requestId)).toSorted();
  return summaryOfCounts(rows, ids[0] ?? null, ids.at(-1) ?? null);
}

/** Reads the last 24 hours of all nodes as of `nowMs`. */
export async function readActivity(db: BunSQLDatabase, nowMs: number): Promise<LogActivity> {
  const firstMs = firstHourShown(nowMs);
  const { host, decidingHost, url, decision, requestId, coverage, logged } = pgChecks;
  const [hourly, rows, latest] = await Promise.all([
    byHour(db, 'decision_by_hour', firstMs),
    db
      .select({ host, decidingHost, url })
      .from(pgChecks)
      .where(and(eq(decision, 'block'), gte(requestId, requestIdLowerBound(firstMs))))
      .orderBy(desc(requestId))
      .limit(LATEST_BLOCKED),
    db.select({ coverage, requestId }).from(pgChecks).orderBy(desc(logged)).limit(LATEST_CHECKS),
  ]);
  return {
    hours: byPeriod(hourly, firstMs, HOUR_MS, HOURS),
    blocked: countSites(rows),
    coverages: coveragesToday(latest, nowMs),
  };
}

const { measure, periodStartMs, bucket, checks } = pgCounts;
const counted = sum(checks).mapWith(Number);

const since = (name: keyof typeof PG_MEASURES, firstMs: number) =>
  and(eq(measure, PG_MEASURES[name]), gte(periodStartMs, firstMs));

async function byHour(db: BunSQLDatabase, name: keyof typeof PG_MEASURES, firstMs: number) {
  return await db
    .select({ periodStartMs, bucket, checks: counted })
    .from(pgCounts)
    .where(since(name, firstMs))
    .groupBy(periodStartMs, bucket);
}

async function byBucket(db: BunSQLDatabase, name: keyof typeof PG_MEASURES, firstMs: number) {
  return await db.select({ bucket, checks: counted }).from(pgCounts).where(since(name, firstMs)).groupBy(bucket);
}
