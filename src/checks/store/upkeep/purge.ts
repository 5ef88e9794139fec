import { gt, lte } from 'drizzle-orm';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { forgetBlocks, forgetPart } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { prepareDelete } from './delete-checks.ts';
import type { Removal, RemoveSome } from './removal.ts';

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

/** The checks up to `lastId`, to be removed in the order in which they were logged. */
export function removalUpTo(lastId: number): Removal {
  return { prepare: (log) => prepareRemoval(log, lastId), takes: (id) => id <= lastId };
}

function prepareRemoval(log: LogFile, lastId: number): RemoveSome {
  const remove = prepareDelete(log);
  return (limit) => {
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
      return null;
    }
    remove(ids);
    forgetBlocks(log, ids.at(-1) ?? lastId);
    return ids.length;
  };
}
