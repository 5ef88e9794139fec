import { type SQL as Statement, sql } from 'drizzle-orm';
import { DAY_MS } from '#src/core/base/clock.ts';
import { type CountedCheck, periodStart, sumUp } from '../../write/counters.ts';
import { PG_BLOCKED_KINDS, PG_MEASURES, TOGETHER } from '../schema/tables.ts';

/** What runs statements in a transaction. */
interface Transaction {
  execute(statement: Statement): PromiseLike<unknown>;
}

/**
 * Takes checks that are deleted out of the counts, as the last part of a transaction: nodes wait for the tables until its end,
 * since they count in an order of their own. What each has counted for itself is counted together from then on, and where
 * nothing is left, no name stays behind either.
 */
export async function subtractCounts(transaction: Transaction, checks: readonly CountedCheck[]): Promise<void> {
  const counted = [...sumUp(checks).counts.values()].map(({ measure, ...counter }) => ({
    ...counter,
    measure: PG_MEASURES[measure],
  }));
  const byDay = Map.groupBy(checks, ({ checkedAtMs }) => periodStart(checkedAtMs, DAY_MS));
  const blocked = [...byDay].flatMap(([dayMs, ofDay]) =>
    [...sumUp(ofDay).blocked.values()].map((one) => ({ ...one, dayMs, kind: PG_BLOCKED_KINDS[one.kind] })),
  );
  await transaction.execute(sql`lock table counts, blocked in share row exclusive mode`);
  await transaction.execute(sql`with gone as (
      delete from counts using json_to_recordset(${JSON.stringify(counted)}::text::json)
        as less (measure int2, "periodStartMs" int8, bucket int2, sum int8)
      where counts.measure = less.measure and period_start_ms = "periodStartMs" and counts.bucket = less.bucket
      returning counts.measure, period_start_ms, counts.bucket, checks, less.sum)
    insert into counts (measure, period_start_ms, bucket, node, checks)
    select measure, period_start_ms, bucket, ${TOGETHER}::int4, sum(checks) - max(sum) from gone
    group by 1, 2, 3 having sum(checks) > max(sum)`);
  await transaction.execute(sql`with gone as (
      delete from blocked using json_to_recordset(${JSON.stringify(blocked)}::text::json)
        as less ("dayMs" int8, kind int2, name text, sum int8)
      where day_ms = "dayMs" and blocked.kind = less.kind and blocked.name = less.name collate "C"
      returning day_ms, blocked.kind, blocked.name, checks, less.sum)
    insert into blocked (day_ms, kind, name, node, checks)
    select day_ms, kind, name, ${TOGETHER}::int4, sum(checks) - max(sum) from gone
    group by 1, 2, 3 having sum(checks) > max(sum)`);
}
