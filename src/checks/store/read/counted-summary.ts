import { and, asc, desc, eq, gte, lt, type SQL, sql, sum } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { HistorySummary } from '#src/checks/record/history-page.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks, counts } from '../file/schema.ts';
import type { SearchFilter } from '../scan-log.ts';
import { decisionsOf, within } from './check-filter.ts';
import { momentOf, searchTest } from './search.ts';

/** Checks of one decision on one day. */
export interface DayCount {
  readonly dayMs: number;
  /** Index of the decision. */
  readonly bucket: number;
  readonly checks: number;
}

/** Returns true if the counts by hour answer a filter: it names decisions and whole hours alone. */
export function isCounted(filter: SearchFilter): boolean {
  const isWhole = (ms: number | null) => ms === null || ms % HOUR_MS === 0;
  return filter.domain === null && searchTest(filter) === null && isWhole(filter.fromMs) && isWhole(filter.untilMs);
}

const DAY = sql.raw(String(DAY_MS));

/** Start of the day of a moment, both in whole milliseconds since the Unix epoch. */
export const dayOf = (periodStartMs: SQL.Aliased | Parameters<typeof sql>[1]) =>
  sql<number>`${periodStartMs} / ${DAY} * ${DAY}`.mapWith(Number);

/** Returns the summary of counts, and of the ids of the first and last check. */
export function summaryOfCounts(rows: readonly DayCount[], first: string | null, last: string | null): HistorySummary {
  const total = { allow: 0, warn: 0, block: 0 };
  const days = new Map<number, typeof total>();
  for (const { dayMs, bucket, checks: counted } of rows.toSorted((a, b) => a.dayMs - b.dayMs)) {
    const decision = DECISIONS[bucket];
    if (decision === undefined) continue;
    total[decision] += counted;
    days.getOrInsertComputed(dayMs, () => ({ allow: 0, warn: 0, block: 0 }))[decision] += counted;
  }
  return {
    checks: total,
    first_at: momentOf(first),
    last_at: momentOf(last),
    days: [...days].map(([dayMs, counted]) => ({ start: new Date(dayMs).toISOString(), ...counted })),
    counted_back_to: null,
  };
}

/** Counts the public checks of a file that match a filter which {@link isCounted} takes, however many there are. */
export function countedInFile({ db }: Pick<LogFile, 'db'>, filter: SearchFilter): HistorySummary {
  const { measure, periodStartMs, bucket } = counts;
  const dayMs = dayOf(periodStartMs);
  const rows = db
    .select({ dayMs, bucket, checks: sum(counts.checks).mapWith(Number) })
    .from(counts)
    .where(
      and(
        eq(measure, 'decision_by_hour'),
        filter.decision === null ? undefined : eq(bucket, DECISIONS.indexOf(filter.decision)),
        filter.fromMs === null ? undefined : gte(periodStartMs, filter.fromMs),
        filter.untilMs === null ? undefined : lt(periodStartMs, filter.untilMs),
      ),
    )
    .groupBy(dayMs, bucket)
    .all();
  const ends = decisionsOf(filter).flatMap((decision) =>
    [asc(checks.requestId), desc(checks.requestId)].flatMap((order) =>
      db
        .select({ requestId: checks.requestId })
        .from(checks)
        .where(and(eq(checks.decision, decision), ...within(filter, null)))
        .orderBy(order)
        .limit(1)
        .all(),
    ),
  );
  const ids = ends.map(({ requestId }) => requestId).toSorted();
  return summaryOfCounts(rows, ids[0] ?? null, ids.at(-1) ?? null);
}
