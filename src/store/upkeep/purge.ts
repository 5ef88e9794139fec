import { gt, inArray, lte } from 'drizzle-orm';
import { requestIdMs } from '#src/base/request-id.ts';
import { hostOf } from '#src/url/host.ts';
import { hostOfRow } from '../domains/host-suffixes.ts';
import { forgetBlocks, forgetPart } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { prepareCounters } from '../write/counters.ts';

/** Short transactions, so that checks that come in meanwhile wait for milliseconds. */
const ROWS_A_STEP = 200;

/**
 * Deletes checks that began before `beforeMs`, and their counts, from the oldest on in the order in which they were logged.
 * Resolves with their number. See {@link lastExpired} for what is dated after `nowMs`.
 */
export async function purgeLog(log: LogFile, beforeMs: number, nowMs: number): Promise<number> {
  const lastId = await lastExpired(log, beforeMs, nowMs);
  const removeSome = log.database.transaction(() => removeOldest(log, lastId));
  let removed = 0;
  for (let step = -1; step !== 0; ) {
    step = removeSome.immediate();
    removed += step;
    await new Promise(setImmediate);
  }
  return removed;
}

/**
 * The id of the last check that is due; 0 where none is. A check stays, and with it all that was logged after it, if it
 * began between the two moments. One that is dated earlier, but was logged later, owes its date to a clock that jumped
 * back; one that is dated after `nowMs` to one that jumped forth, and goes with the next that is due.
 */
async function lastExpired({ db }: LogFile, beforeMs: number, nowMs: number): Promise<number> {
  let lastId = 0;
  for (let after = 0; ; ) {
    const rows = db
      .select({ id: checks.id, requestId: checks.requestId })
      .from(checks)
      .where(gt(checks.id, after))
      .orderBy(checks.id)
      .limit(ROWS_A_STEP)
      .all();
    for (const { id, requestId } of rows) {
      const atMs = requestIdMs(requestId);
      if (atMs >= beforeMs && atMs <= nowMs) return lastId;
      if (atMs < beforeMs) lastId = id;
      after = id;
    }
    if (rows.length < ROWS_A_STEP) return lastId;
    await new Promise(setImmediate);
  }
}

function removeOldest(log: LogFile, lastId: number): number {
  const due = log.db
    .select({ id: checks.id })
    .from(checks)
    .where(lte(checks.id, lastId))
    .orderBy(checks.id)
    .limit(ROWS_A_STEP)
    .all();
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) {
    forgetPart(log);
    return 0;
  }
  const { requestId, decision, probability, answerTimeBucket, host, url } = checks;
  const rows = log.db
    .delete(checks)
    .where(inArray(checks.id, ids))
    .returning({ requestId, decision, probability, answerTimeBucket, host, url })
    .all();
  const removed = rows.map((row) => ({
    ...row,
    checkedAtMs: requestIdMs(row.requestId),
    host: hostOf(hostOfRow(row).text),
  }));
  forgetBlocks(log, ids.at(-1) ?? lastId);
  if (log.visibility === 'public') prepareCounters(log).subtract(removed);
  return removed.length;
}
