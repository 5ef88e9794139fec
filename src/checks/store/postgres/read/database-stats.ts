import { and, desc, eq, gte, sum } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { HOUR_MS } from '#src/core/base/clock.ts';
import { requestIdLowerBound } from '#src/core/base/request-id.ts';
import { countSites, coveragesToday, LATEST_BLOCKED, LATEST_CHECKS, type LogActivity } from '../../read/activity.ts';
import { byPeriod, type Figures, firstDayShown, firstHourShown, HOURS, inBuckets } from '../../read/stats.ts';
import { ANSWER_TIME_BUCKETS, PROBABILITY_BUCKETS } from '../../write/buckets.ts';
import { PG_MEASURES, pgChecks, pgCounts } from '../schema/tables.ts';
import { readBlockedNames } from './blocked-names.ts';

/** Reads the counts of all nodes as of `nowMs`. */
export async function readFigures(db: BunSQLDatabase, nowMs: number): Promise<Figures> {
  const firstDay = firstDayShown(nowMs);
  const [hourly, probabilities, answerTimes, { sites, suffixes }] = await Promise.all([
    byHour(db, firstDay),
    byBucket(db, 'probability_by_day', firstDay),
    byBucket(db, 'answer_time_by_day', firstDay),
    readBlockedNames(db),
  ]);
  return {
    hourly,
    probabilities: inBuckets(probabilities, PROBABILITY_BUCKETS),
    answerTimes: inBuckets(answerTimes, ANSWER_TIME_BUCKETS),
    sites,
    suffixes,
  };
}

/** Reads the last 24 hours of all nodes as of `nowMs`. */
export async function readActivity(db: BunSQLDatabase, nowMs: number): Promise<LogActivity> {
  const firstMs = firstHourShown(nowMs);
  const { host, decidingHost, url, decision, requestId, coverage, logged } = pgChecks;
  const [hourly, rows, latest] = await Promise.all([
    byHour(db, firstMs),
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

async function byHour(db: BunSQLDatabase, firstMs: number) {
  return await db
    .select({ periodStartMs, bucket, checks: counted })
    .from(pgCounts)
    .where(since('decision_by_hour', firstMs))
    .groupBy(periodStartMs, bucket);
}

async function byBucket(db: BunSQLDatabase, name: keyof typeof PG_MEASURES, firstMs: number) {
  return await db.select({ bucket, checks: counted }).from(pgCounts).where(since(name, firstMs)).groupBy(bucket);
}
