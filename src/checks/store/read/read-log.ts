import { and, gt, inArray } from 'drizzle-orm';
import { asStoreError } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import type { LogTail } from '../scan-log.ts';
import { type CheckFilter, ofDecision } from './check-filter.ts';
import { FILE_TABLES, newestIdOf } from './find-checks.ts';
import { queriesOf } from './queries.ts';
import { entriesWhere, ROWS_PER_READ } from './read-entries.ts';
import { rowFilter } from './row-filter.ts';

/** Follows the matching checks of a log from now on. Its calls throw StoreError if the file cannot be read. */
export function tailLog(log: LogFile, filter: CheckFilter): LogTail {
  const isMeant = rowFilter(filter);
  let lastId = newestIdOf(log);

  async function next() {
    const newestId = newestIdOf(log);
    const { id, requestId, host, url, decision } = checks;
    for (;;) {
      // In log order, for which there is no domain index.
      const rows = log.db
        .select({ id, requestId, host, url })
        .from(checks)
        .where(and(gt(id, lastId), ofDecision(decision, filter)))
        .orderBy(id)
        .limit(ROWS_PER_READ)
        .all();
      const isEnd = rows.length < ROWS_PER_READ;
      lastId = isEnd ? Math.max(lastId, newestId) : (rows.at(-1)?.id ?? lastId);
      const are = inArray(
        id,
        rows.filter(isMeant).map((row) => row.id),
      );
      const entries = await entriesWhere(queriesOf(log.db), FILE_TABLES, are, 'as logged');
      if (isEnd || entries.length > 0) return entries;
    }
  }

  return {
    async next() {
      try {
        return await next();
      } catch (error) {
        throw asStoreError(log.path, error);
      }
    },
  };
}
