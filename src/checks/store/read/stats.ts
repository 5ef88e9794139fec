import { and, desc, eq, gte, sum } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { LogStats, Stats } from '#src/checks/record/stats.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { freeDiskPercent } from '../file/file-system.ts';
import type { LogFile } from '../file/log-file.ts';
import { blocked, counts } from '../file/schema.ts';
import { ANSWER_TIME_BUCKETS, answerTimeBound, answerTimeQuantile, PROBABILITY_BUCKETS } from '../write/buckets.ts';
import { periodStart } from '../write/counters.ts';

/** Number of hours that are shown, with the current one. */
export const HOURS = 24;
const DAYS = 30;

/** Answer-time buckets that are shown as one. */
const SHOWN_TOGETHER = 4;

/** Counts of a log since {@link firstDayShown}, in a file or a database. */
export interface Figures {
  /** Checks by decision and hour. */
  readonly hourly: readonly Pick<CountRow, 'periodStartMs' | 'bucket' | 'checks'>[];
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

/** Returns the statistics of the public checks of a file at `nowMs`. */
export function readStats(log: LogFile, dataDir: string, nowMs: number): LogStats {
  const firstDay = firstDayShown(nowMs);
  const hourlyOf = (measure: 'decision_by_hour' | 'message_by_hour') =>
    log.db
      .select()
      .from(counts)
      .where(and(eq(counts.measure, measure), gte(counts.periodStartMs, firstDay)))
      .all();
  const figures = {
    hourly: hourlyOf('decision_by_hour'),
    messages: hourlyOf('message_by_hour'),
    probabilities: histogram(log, 'probability_by_day', firstDay, PROBABILITY_BUCKETS),
    answerTimes: histogram(log, 'answer_time_by_day', firstDay, ANSWER_TIME_BUCKETS),
    sites: mostBlocked(log, 'site'),
    suffixes: mostBlocked(log, 'suffix'),
  };
  return statsOf(figures, nowMs, freeDiskPercent(dataDir));
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

type CountRow = typeof counts.$inferSelect;

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

function histogram({ db }: LogFile, measure: CountRow['measure'], firstDay: number, buckets: number): number[] {
  const rows = db
    .select({ bucket: counts.bucket, checks: sum(counts.checks).mapWith(Number) })
    .from(counts)
    .where(and(eq(counts.measure, measure), gte(counts.periodStartMs, firstDay)))
    .groupBy(counts.bucket)
    .all();
  return inBuckets(rows, buckets);
}

/** Returns the counts of all buckets, with 0 for empty ones. */
export function inBuckets(
  rows: readonly { readonly bucket: number; readonly checks: number }[],
  buckets: number,
): number[] {
  const checks = new Array<number>(buckets).fill(0);
  for (const row of rows) checks[row.bucket] = row.checks;
  return checks;
}

function mostBlocked({ db }: LogFile, kind: 'site' | 'suffix'): Stats['blocked_sites'] {
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
