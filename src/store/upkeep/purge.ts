import { gt, inArray, lte } from 'drizzle-orm';
import { requestIdMs } from '#src/base/request-id.ts';
import { hostOf } from '#src/url/host.ts';
import { hostOfRow } from '../domains/host-suffixes.ts';
import { forgetBlocks, forgetPart } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { type CountedCheck, prepareCounters } from '../write/counters.ts';

/** Short reads, so that checks that come in meanwhile wait for milliseconds. */
const ROWS_A_READ = 200;

/**
 * The id of the last check that is due because it began before `beforeMs`; 0 where none is. A check stays, and with it all
 * that was logged after it, if it began between the two moments. One that is dated earlier, but was logged later, owes its
 * date to a clock that jumped back; one that is dated after `nowMs` to one that jumped forth, and goes with the next that
 * is due.
 */
export async function lastExpired({ db }: LogFile, beforeMs: number, nowMs: number): Promise<number> {
  let lastId = 0;
  for (let after = 0; ; ) {
    const rows = db
      .select({ id: checks.id, requestId: checks.requestId })
      .from(checks)
      .where(gt(checks.id, after))
      .orderBy(checks.id)
      .limit(ROWS_A_READ)
      .all();
    for (const { id, requestId } of rows) {
      const atMs = requestIdMs(requestId);
      if (atMs >= beforeMs && atMs <= nowMs) return lastId;
      if (atMs < beforeMs) lastId = id;
      after = id;
    }
    if (rows.length < ROWS_A_READ) return lastId;
    await new Promise(setImmediate);
  }
}

/** Deletes the `limit` oldest checks, inside the transaction of the caller. Returns their number; 0 says that all is done. */
export type RemoveOldest = (limit: number) => number;

/** Prepares to delete the checks up to `lastId`, in the order in which they were logged, and their counts. */
export function prepareRemoval(log: LogFile, lastId: number): RemoveOldest {
  const counters = log.visibility === 'public' ? prepareCounters(log) : null;
  return (limit) => {
    const removed = removeOldest(log, lastId, limit);
    counters?.subtract(removed);
    return removed.length;
  };
}

function removeOldest(log: LogFile, lastId: number, limit: number): CountedCheck[] {
  const due = log.db
    .select({ id: checks.id })
    .from(checks)
    .where(lte(checks.id, lastId))
    .orderBy(checks.id)
    .limit(limit)
    .all();
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) {
    forgetPart(log);
    return [];
  }
  const { requestId, decision, probability, answerTimeBucket, host, url } = checks;
  const rows = log.db
    .delete(checks)
    .where(inArray(checks.id, ids))
    .returning({ requestId, decision, probability, answerTimeBucket, host, url })
    .all();
  forgetBlocks(log, ids.at(-1) ?? lastId);
  return rows.map((row) => ({
    ...row,
    checkedAtMs: requestIdMs(row.requestId),
    host: hostOf(hostOfRow(row).text),
  }));
}
