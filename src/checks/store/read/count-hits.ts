import { and, asc, isNotNull, sql } from 'drizzle-orm';
import { requestIdBytes, requestIdLowerBound } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import type { EntryTally } from './list-hits.ts';

/** Index rows per step, about a millisecond. */
const ROWS_PER_STEP = 2000;

const { list, entry, requestId } = checks;

/** Counts the checks of a file since a moment by the entry that decided, in steps over one index. */
export function* countHits({ db }: Pick<LogFile, 'db'>, sinceMs: number): Generator<readonly EntryTally[]> {
  const since = requestIdBytes(requestIdLowerBound(sinceMs));
  let after: readonly [list: string, entry: string, requestId: Uint8Array] = ['', '', new Uint8Array()];
  for (;;) {
    const step = db
      .select({ list, entry, requestId })
      .from(checks)
      .where(and(isNotNull(list), sql`(${list}, ${entry}, ${requestId}) > (${after[0]}, ${after[1]}, ${after[2]})`))
      .orderBy(asc(list), asc(entry), asc(requestId))
      .limit(ROWS_PER_STEP)
      .as('step');
    const rows = db
      .select({
        list: sql<string>`${step.list}`,
        entry: sql<string>`${step.entry}`,
        hits: sql<number>`sum(${step.requestId} >= ${since})`,
        rows: sql<number>`count(*)`,
        last: sql<Uint8Array>`max(${step.requestId})`,
      })
      .from(step)
      .groupBy(step.list, step.entry)
      .orderBy(step.list, step.entry)
      .all();
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.reduce((sum, one) => sum + one.rows, 0) < ROWS_PER_STEP) return;
    after = [last.list, last.entry, last.last];
  }
}
