import { inArray, sql } from 'drizzle-orm';
import { hostOf } from '#src/url/host.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks } from '../file/schema.ts';
import { EVERY_CHECK, findChecks } from '../read/find-checks.ts';
import { indexedSuffixes } from '../read/host-suffixes.ts';
import { prepareCounters } from '../write/counters.ts';

/** Short transactions, so that checks that come in meanwhile wait for milliseconds. */
const ROWS_A_STEP = 200;

/** Deletes what began before `beforeMs`, and its counts. Resolves with the number of checks. */
export async function purgeLog(log: LogFile, beforeMs: number): Promise<number> {
  const removeSome = log.database.transaction(() => removeOldest(log, beforeMs));
  let removed = 0;
  for (let step = -1; step !== 0; ) {
    step = removeSome.immediate();
    removed += step;
    await new Promise(setImmediate);
  }
  return removed;
}

function removeOldest(log: LogFile, beforeMs: number): number {
  const ids = findChecks(log, { ...EVERY_CHECK, untilMs: beforeMs }, null, ROWS_A_STEP).map(({ id }) => id);
  if (ids.length === 0) return 0;
  const answerSeconds = sql<number>`json_extract(${checks.result}, '$.analysis_details.analysis_time')`;
  const rows = log.db
    .delete(checks)
    .where(inArray(checks.id, ids))
    .returning({
      id: checks.id,
      checkedAtMs: checks.checkedAtMs,
      decision: checks.decision,
      probability: checks.probability,
      host: checks.host,
      answerSeconds,
    })
    .all();
  const removed = rows.map((row) => ({ ...row, host: hostOf(row.host) }));
  const removeDomain = log.db
    .delete(checkDomains)
    .where(
      sql`${checkDomains.domain} = ${sql.placeholder('domain')} and ${checkDomains.decision} = ${sql.placeholder('decision')}
        and ${checkDomains.checkedAtMs} = ${sql.placeholder('checkedAtMs')} and ${checkDomains.checkId} = ${sql.placeholder('id')}`,
    )
    .prepare();
  for (const { id, decision, checkedAtMs, host } of removed) {
    for (const domain of indexedSuffixes(host)) removeDomain.run({ domain, decision, checkedAtMs, id });
  }
  if (log.visibility === 'public') prepareCounters(log).subtract(removed);
  return removed.length;
}
