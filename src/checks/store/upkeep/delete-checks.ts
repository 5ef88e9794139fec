import { inArray, sql } from 'drizzle-orm';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { countedHost } from '../domains/host-suffixes.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks, lastDeleted } from '../file/schema.ts';
import { prepareCounters } from '../write/counters.ts';

/** Prepares to delete checks, one at least, and what is counted of them, inside the transaction of the caller. */
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
    counters?.subtract(
      rows.map((row) => ({
        ...row,
        checkedAtMs: requestIdMs(row.requestId),
        host: countedHost(row),
      })),
    );
  };
}
