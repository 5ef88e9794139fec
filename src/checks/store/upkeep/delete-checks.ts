import { inArray, sql } from 'drizzle-orm';
import type { LogFile } from '../file/log-file.ts';
import { checks, lastDeleted } from '../file/schema.ts';
import { forgetHours, prepareCounters } from '../write/counters.ts';

/** Prepares statements that delete checks and their counts, in the caller's transaction. Takes at least one id. */
export function prepareDelete(log: LogFile): (ids: readonly number[]) => void {
  const { db } = log;
  const counters = log.visibility === 'public' ? prepareCounters(log) : null;
  const { requestId, decision, probability, answerTimeBucket, host, decidingHost, url } = checks;
  const noteLast = db
    .insert(lastDeleted)
    .values({ row: 1, checkId: sql.placeholder('id') })
    .onConflictDoUpdate({
      target: lastDeleted.row,
      set: { checkId: sql`max(${lastDeleted.checkId}, excluded.check_id)` },
    })
    .prepare();
  return (ids) => {
    noteLast.run({ id: Math.max(...ids) });
    const rows = db
      .delete(checks)
      .where(inArray(checks.id, [...ids]))
      .returning({ requestId, decision, probability, answerTimeBucket, host, decidingHost, url })
      .all();
    if (counters) counters.subtract(rows);
    else forgetHours(log, rows);
    log.removing.push(...rows.map((row) => row.requestId));
  };
}

/**
 * Deletes up to `limit` checks with their counts and index entries, in the caller's transaction. Returns their number,
 * which may be 0; null once nothing is left.
 */
export type RemoveSome = (limit: number) => number | null;

/** Returns the removal of what several remove, one after the other. */
export function inTurn(...removals: readonly RemoveSome[]): RemoveSome {
  let at = 0;
  return (limit) => {
    for (let next = removals[at]; next !== undefined; next = removals[++at]) {
      const removed = next(limit);
      if (removed !== null) return removed;
    }
    return null;
  };
}

/** Checks to remove from a log. */
export interface Removal {
  /** Prepares the statements. */
  readonly prepare: (log: LogFile) => RemoveSome;
  /** Returns true if the check is to be removed. */
  readonly takes: (id: number) => boolean;
  /** Called when all are removed without a trace in any file. */
  readonly whenGone?: () => void;
}
