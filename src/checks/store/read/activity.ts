import { and, count, desc, eq, gte, lt, sql, sum } from 'drizzle-orm';
import { type AnalysisDetails, DECISIONS } from '#src/checks/record/check-result.ts';
import type { Stats } from '#src/checks/record/stats.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { oncePerRound } from '#src/core/base/once-per-round.ts';
import { requestIdBytes, requestIdLowerBound, requestIdMs } from '#src/core/base/request-id.ts';
import { countedHost, hostOfRow } from '../domains/host-suffixes.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks, counts, deletions, lastDeleted } from '../file/schema.ts';
import { type CountedCheck, periodStart } from '../write/counters.ts';
import { byPeriod, type Figures, firstHourShown, HOURS } from './stats.ts';

/** Checks of one log within the last 24 hours. */
export interface LogActivity {
  /** Checks by decision, for each hour, the oldest first; the last hour is the current one. */
  readonly hours: Stats['hours'];
  /** Sites of the latest blocked checks, at most {@link LATEST_BLOCKED}, with their number. */
  readonly blocked: ReadonlyMap<string, number>;
  /** Coverage of the latest checks of the day (UTC), at most {@link LATEST_CHECKS}; null for one that version 0.1 logged. */
  readonly coverages: readonly (AnalysisDetails['coverage'] | null)[];
}

/** Maximum number of blocked checks whose sites are counted, so that the cost does not grow with the log. */
export const LATEST_BLOCKED = 500;

/** Maximum number of checks whose coverage is counted, likewise. */
export const LATEST_CHECKS = 200;

/** Time after the end of an hour for which a check of it may still be logged. */
const SETTLED_MS = 10 * MINUTE_MS;

type HourCount = Figures['hourly'][number];

/** Counts blocked checks by site, in the order of their rows. */
export function countSites(
  rows: readonly Pick<CountedCheck, 'host' | 'decidingHost' | 'url'>[],
): ReadonlyMap<string, number> {
  const sites = new Map<string, number>();
  // Most are of the same few hosts, whose sites are looked up once.
  for (const ofHost of Map.groupBy(rows, (row) => row.decidingHost ?? hostOfRow(row).text).values()) {
    const { site } = ofHost[0] ? countedHost(ofHost[0]) : { site: '' };
    sites.set(site, (sites.get(site) ?? 0) + ofHost.length);
  }
  return sites;
}

/** Returns the coverage of the checks of the day (UTC). */
export function coveragesToday(
  rows: readonly { readonly requestId: string; readonly coverage: LogActivity['coverages'][number] }[],
  nowMs: number,
): LogActivity['coverages'] {
  const firstMs = periodStart(nowMs, DAY_MS);
  return rows.filter(({ requestId }) => requestIdMs(requestId) >= firstMs).map(({ coverage }) => coverage);
}

/**
 * Creates a reader of the last 24 hours of a file. The public file has counts by hour. In the private one the index of
 * decisions is counted, an hour at a time between other work; hours that are over are counted once.
 */
export function createActivity(
  log: Pick<LogFile, 'db' | 'visibility' | 'recovery'>,
): (nowMs: number) => Promise<LogActivity> {
  const { db } = log;
  const nextRound = oncePerRound();
  const settled = new Map<number, readonly HourCount[]>();
  let removedBefore = '';
  // Prepared with the first question: a start should not wait for a statement that may not be needed.
  let inHour: ReturnType<typeof prepareCount> | null = null;

  function countHour(startMs: number): HourCount[] {
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

  async function countedHours(firstMs: number, nowMs: number): Promise<HourCount[]> {
    forgetRemoved();
    const hours: HourCount[] = [];
    for (let startMs = firstMs; startMs <= nowMs; startMs += HOUR_MS) {
      const known = settled.get(startMs);
      if (known === undefined) await nextRound();
      const found = known ?? countHour(startMs);
      if (log.recovery === null && startMs + HOUR_MS + SETTLED_MS <= nowMs) settled.set(startMs, found);
      hours.push(...found);
    }
    for (const startMs of settled.keys()) if (startMs < firstMs) settled.delete(startMs);
    return hours;
  }

  /** Hours whose checks may have been deleted are counted again. */
  function forgetRemoved(): void {
    const last = db.select({ id: lastDeleted.checkId }).from(lastDeleted).get()?.id ?? 0;
    const erased =
      db
        .select({ checks: sum(deletions.removed) })
        .from(deletions)
        .get()?.checks ?? '0';
    const removed = `${last} ${erased}`;
    if (removed !== removedBefore) settled.clear();
    removedBefore = removed;
  }

  const storedHours = (firstMs: number) =>
    db
      .select()
      .from(counts)
      .where(and(eq(counts.measure, 'decision_by_hour'), gte(counts.periodStartMs, firstMs)))
      .all();

  return async (nowMs) => {
    const firstMs = firstHourShown(nowMs);
    const hourly = log.visibility === 'public' ? storedHours(firstMs) : await countedHours(firstMs, nowMs);
    const { id, host, decidingHost, url, decision, requestId, coverage } = checks;
    const rows = db
      .select({ host, decidingHost, url })
      .from(checks)
      .where(and(eq(decision, 'block'), gte(requestId, requestIdLowerBound(firstMs))))
      .orderBy(desc(requestId))
      .limit(LATEST_BLOCKED)
      .all();
    const latest = db.select({ coverage, requestId }).from(checks).orderBy(desc(id)).limit(LATEST_CHECKS).all();
    return {
      hours: byPeriod(hourly, firstMs, HOUR_MS, HOURS),
      blocked: countSites(rows),
      coverages: coveragesToday(latest, nowMs),
    };
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
