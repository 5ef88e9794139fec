import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { countedHost } from '../domains/host-suffixes.ts';
import type { LogFile } from '../file/log-file.ts';
import { blocked, counts, type MEASURES } from '../file/schema.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import { probabilityBucket } from './buckets.ts';
import type { StoredCheck } from './stored-check.ts';

/** Counted properties of a check. */
export type CountedCheck = Pick<
  StoredCheck,
  'requestId' | 'decision' | 'probability' | 'answerTimeBucket' | 'host' | 'decidingHost' | 'url'
>;

/** Counted properties of the check of a message. */
export type CountedMessage = Pick<StoredCheck, 'requestId' | 'decision'>;

/**
 * Prepares the statements once per file, for counts in the caller's transaction. A batch costs one statement per
 * counter, not one per check.
 */
export function prepareCounters({ database, db }: Pick<LogFile, 'database' | 'db'>) {
  const bump = prepareNamed(database, 'bumpCount');
  const bumpBlocked = prepareNamed(database, 'bumpBlocked');
  // The first check of a service would wait for statements that only a deletion needs.
  let drops: ReturnType<typeof prepareDrops> | null = null;

  function addSums({ counts: sums, blocked: blockedSums }: CheckSums, sign: 1 | -1): void {
    for (const { measure, periodStartMs, bucket, sum } of sums.values()) {
      bump.run({ measure, periodStartMs, bucket, checks: sign * sum });
    }
    for (const { kind, name, sum } of blockedSums.values()) bumpBlocked.run({ kind, name, checks: sign * sum });
  }

  function subtractSums(sums: CheckSums): void {
    addSums(sums, -1);
    drops ??= prepareDrops(db);
    for (const { sum: _, ...counter } of sums.counts.values()) drops.count.run(counter);
    // A site without checks must not leave its name behind.
    for (const { sum: _, ...counter } of sums.blocked.values()) drops.blocked.run(counter);
  }

  return {
    add: (checks: readonly CountedCheck[]) => addSums(sumUp(checks), 1),
    subtract: (checks: readonly CountedCheck[]) => subtractSums(sumUp(checks)),
    addMessages: (messages: readonly CountedMessage[]) => addSums(sumUpMessages(messages), 1),
    subtractMessages: (messages: readonly CountedMessage[]) => subtractSums(sumUpMessages(messages)),
  };
}

/** Removes the counts of the hours of checks that were added to a private log out of turn, or removed. */
export function forgetHours({ db }: Pick<LogFile, 'db'>, changed: readonly Pick<CountedCheck, 'requestId'>[]): void {
  const hours = new Set(changed.map(({ requestId }) => periodStart(requestIdMs(requestId), HOUR_MS)));
  db.delete(counts)
    .where(inArray(counts.periodStartMs, [...hours]))
    .run();
}

/** Prepares the removal of counters that count nothing any more. */
function prepareDrops(db: LogFile['db']) {
  return {
    count: db
      .delete(counts)
      .where(
        and(
          eq(counts.measure, sql.placeholder('measure')),
          eq(counts.periodStartMs, sql.placeholder('periodStartMs')),
          eq(counts.bucket, sql.placeholder('bucket')),
          lte(counts.checks, 0),
        ),
      )
      .prepare(),
    blocked: db
      .delete(blocked)
      .where(
        and(
          eq(blocked.kind, sql.placeholder('kind')),
          eq(blocked.name, sql.placeholder('name')),
          lte(blocked.checks, 0),
        ),
      )
      .prepare(),
  };
}

/** Sums of checks by counter. */
export interface CheckSums {
  readonly counts: Map<
    string,
    { measure: (typeof MEASURES)[number]; periodStartMs: number; bucket: number; sum: number }
  >;
  readonly blocked: Map<string, { kind: 'site' | 'suffix'; name: string; sum: number }>;
}

/** Sums the checks of messages by counter. */
export function sumUpMessages(messages: readonly CountedMessage[]): CheckSums {
  const sums: CheckSums = { counts: new Map(), blocked: new Map() };
  for (const { requestId, decision } of messages) {
    const hour = periodStart(requestIdMs(requestId), HOUR_MS);
    count(sums, 'message_by_hour', hour, DECISIONS.indexOf(decision));
  }
  return sums;
}

function count({ counts: sums }: CheckSums, measure: (typeof MEASURES)[number], periodStartMs: number, bucket: number) {
  const key = `${measure} ${periodStartMs} ${bucket}`;
  const known = sums.get(key);
  if (known) known.sum++;
  else sums.set(key, { measure, periodStartMs, bucket, sum: 1 });
}

/** Sums checks by counter. */
export function sumUp(checks: readonly CountedCheck[]): CheckSums {
  const sums: CheckSums = { counts: new Map(), blocked: new Map() };
  const countBlocked = (kind: 'site' | 'suffix', name: string) => {
    const known = sums.blocked.get(`${kind} ${name}`);
    if (known) known.sum++;
    else sums.blocked.set(`${kind} ${name}`, { kind, name, sum: 1 });
  };
  for (const check of checks) {
    const checkedAtMs = requestIdMs(check.requestId);
    const day = periodStart(checkedAtMs, DAY_MS);
    count(sums, 'decision_by_hour', periodStart(checkedAtMs, HOUR_MS), DECISIONS.indexOf(check.decision));
    count(sums, 'probability_by_day', day, probabilityBucket(check.probability));
    count(sums, 'answer_time_by_day', day, check.answerTimeBucket);
    if (check.decision !== 'block') continue;
    const { site, suffix } = countedHost(check);
    countBlocked('site', site);
    if (suffix !== '') countBlocked('suffix', suffix);
  }
  return sums;
}

/** Returns the start of the UTC period that contains `atMs`. */
export function periodStart(atMs: number, periodMs: number): number {
  return Math.floor(atMs / periodMs) * periodMs;
}
