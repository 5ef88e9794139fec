import { and, between, desc, eq, gte, sum } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { LogStats, Stats } from '#src/checks/record/stats.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import type { LogFile } from '../file/log-file.ts';
import { blocked, type counts } from '../file/schema.ts';
import { ANSWER_TIME_BUCKETS, answerTimeBound, answerTimeQuantile, PROBABILITY_BUCKETS } from '../write/buckets.ts';
import { periodStart } from '../write/counters.ts';
import type { Queries } from './queries.ts';
import type { LogTables } from './readable-log.ts';

/** Number of hours that are shown, with the current one. */
export const HOURS = 24;
const DAYS = 30;

/** Answer-time buckets that are shown as one. */
const SHOWN_TOGETHER = 4;

/** Counts of a log since {@link firstDayShown}, in a file or a database. */
export interface Figures {
  /** Checks by decision and hour. */
  readonly hourly: readonly Pick<typeof counts.$inferSelect, 'periodStartMs' | 'bucket' | 'checks'>[];
  /** The same of messages. */
  readonly messages: Figures['hourly'];
  /** Checks by bucket. */
  readonly probabilities: readonly number[];
  readonly answerTimes: readonly number[];
  /** Most blocked names of all times. */
  readonly sites: Stats['blocked_sites'];
  readonly suffixes: Stats['blocked_suffixes'];
}

/** Number of most blocked names that are shown. */
export const TOP_BLOCKED = 10;

/** Returns the start of the first day shown at `nowMs`, in milliseconds since the Unix epoch. */
export function firstDayShown(nowMs: number): number {
  return periodStart(nowMs, DAY_MS) - (DAYS - 1) * DAY_MS;
}

/** Returns the start of the first hour shown at `nowMs` likewise. */
export function firstHourShown(nowMs: number): number {
  return periodStart(nowMs, HOUR_MS) - (HOURS - 1) * HOUR_MS;
}

/** Reads the counts of a log as of `nowMs`, beside its most blocked names. */
export async function readFigures(
  db: Queries,
  { counts }: Pick<LogTables, 'counts'>,
  nowMs: number,
): Promise<Omit<Figures, 'sites' | 'suffixes'>> {
  const firstDay = firstDayShown(nowMs);
  const byBucket = (measure: Measure) =>
    db.select({ bucket, checks }).from(counts).where(since(measure, firstDay)).groupBy(bucket);
  const { bucket } = counts;
  const checks = sum(counts.checks).mapWith(Number);
  const since = (measure: Measure, ms: number) => and(eq(counts.measure, measure), gte(counts.periodStartMs, ms));
  const [hourly, messages, probabilities, answerTimes] = await Promise.all([
    hourlyCounts(db, counts, 'decision_by_hour', firstDay),
    hourlyCounts(db, counts, 'message_by_hour', firstDay),
    byBucket('probability_by_day'),
    byBucket('answer_time_by_day'),
  ]);
  return {
    hourly,
    messages,
    probabilities: inBuckets(probabilities, PROBABILITY_BUCKETS),
    answerTimes: inBuckets(answerTimes, ANSWER_TIME_BUCKETS),
  };
}

type Measure = (typeof counts.$inferSelect)['measure'];

/** Reads counts of hours of the public log, of all nodes together. */
export function hourlyCounts(
  db: Queries,
  table: LogTables['counts'],
  measure: Measure,
  firstMs: number,
  untilMs = Number.MAX_SAFE_INTEGER,
) {
  const { periodStartMs, bucket } = table;
  return db
    .select({ periodStartMs, bucket, checks: sum(table.checks).mapWith(Number) })
    .from(table)
    .where(and(eq(table.measure, measure), between(periodStartMs, firstMs, untilMs)))
    .groupBy(periodStartMs, bucket);
}

/** Formats counts as the statistics at `nowMs`. */
export function statsOf(figures: Figures, nowMs: number, diskFreePercent: number): LogStats {
  const { hourly, messages, probabilities, answerTimes, sites, suffixes } = figures;
  return {
    hours: byPeriod(hourly, firstHourShown(nowMs), HOUR_MS, HOURS),
    days: byPeriod(hourly, firstDayShown(nowMs), DAY_MS, DAYS),
    messages: {
      hours: byPeriod(messages, firstHourShown(nowMs), HOUR_MS, HOURS),
      days: byPeriod(messages, firstDayShown(nowMs), DAY_MS, DAYS),
    },
    probabilities: probabilities.map((checks, bucket) => ({
      from: bucket / PROBABILITY_BUCKETS,
      until: (bucket + 1) / PROBABILITY_BUCKETS,
      checks,
    })),
    blocked_sites: sites,
    blocked_suffixes: suffixes,
    answer_seconds: {
      p50: answerTimeQuantile(answerTimes, 0.5),
      p90: answerTimeQuantile(answerTimes, 0.9),
      p99: answerTimeQuantile(answerTimes, 0.99),
      histogram: Array.from({ length: ANSWER_TIME_BUCKETS / SHOWN_TOGETHER }, (_, octave) => ({
        from: answerTimeBound(octave * SHOWN_TOGETHER),
        until: answerTimeBound((octave + 1) * SHOWN_TOGETHER),
        checks: total(answerTimes.slice(octave * SHOWN_TOGETHER, (octave + 1) * SHOWN_TOGETHER)),
      })),
    },
    disk_free_percent: diskFreePercent,
  };
}

/** Returns counts by decision for each of `periods` periods of `periodMs` from `firstMs` on. */
export function byPeriod(rows: Figures['hourly'], firstMs: number, periodMs: number, periods: number): Stats['hours'] {
  const tallies = Array.from({ length: periods }, () => ({ allow: 0, warn: 0, block: 0 }));
  for (const { periodStartMs, bucket, checks } of rows) {
    const tally = tallies[Math.floor((periodStartMs - firstMs) / periodMs)];
    const decision = DECISIONS[bucket];
    if (tally && decision) tally[decision] += checks;
  }
  return tallies.map((tally, period) => ({ start: new Date(firstMs + period * periodMs).toISOString(), ...tally }));
}

/** Returns the counts of all buckets, with 0 for empty ones. */
function inBuckets(rows: readonly { readonly bucket: number; readonly checks: number }[], buckets: number): number[] {
  const checks = new Array<number>(buckets).fill(0);
  for (const row of rows) checks[row.bucket] = row.checks;
  return checks;
}

/** Returns the most blocked names of a file. */
export function mostBlocked({ db }: Pick<LogFile, 'db'>, kind: 'site' | 'suffix'): Stats['blocked_sites'] {
  return db
    .select({ name: blocked.name, checks: blocked.checks })
    .from(blocked)
    .where(eq(blocked.kind, kind))
    .orderBy(desc(blocked.checks), desc(blocked.name))
    .limit(TOP_BLOCKED)
    .all();
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
