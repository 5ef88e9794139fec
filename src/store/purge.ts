import { inArray } from 'drizzle-orm';
import { EVERY_CHECK, findChecks } from './find-checks.ts';
import type { LogFile } from './log-file.ts';
import { checkDomains, checks } from './schema.ts';

/** Short transactions, so that checks that come in meanwhile wait for milliseconds. */
const ROWS_A_STEP = 500;

/** Removes what began before `beforeMs`, and then what was left of it in the write-ahead log. */
export async function purgeLog(log: LogFile, beforeMs: number): Promise<number> {
  let removed = 0;
  const removeSome = log.database.transaction(() => {
    const ids = findChecks(log, { ...EVERY_CHECK, untilMs: beforeMs }, null, ROWS_A_STEP).map(({ id }) => id);
    log.db.delete(checkDomains).where(inArray(checkDomains.checkId, ids)).run();
    log.db.delete(checks).where(inArray(checks.id, ids)).run();
    return ids.length;
  });
  for (let step = -1; step !== 0; removed += step) {
    step = removeSome.immediate();
    await new Promise(setImmediate);
  }
  log.database.query('pragma wal_checkpoint(truncate)').all();
  return removed;
}
