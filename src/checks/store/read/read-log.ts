import { and, eq, gt, inArray } from 'drizzle-orm';
import { isRequestId } from '#src/core/base/request-id.ts';
import { isOfDomain } from '../domains/find-by-domain.ts';
import { domainKey } from '../domains/host-suffixes.ts';
import { asStoreError } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { activeSettings, checks } from '../file/schema.ts';
import type { LogEntry, LogTail } from '../scan-log.ts';
import { type After, type CheckFilter, matching, withRequestIds } from './check-filter.ts';
import { type FoundChecks, findChecks, newestIdOf } from './find-checks.ts';
import { RESULT_COLUMNS, resultOfRow } from './result-row.ts';

/** Rows per read, so that a slow consumer does not delay checkpoints. */
const ROWS_PER_READ = 200;

/** Reads matching checks, newest first, as they are consumed. Throws StoreError if the file cannot be read. */
export function* readLog(log: LogFile, filter: CheckFilter, together = ROWS_PER_READ): Generator<LogEntry> {
  let after: After = null;
  do {
    const from: After = after;
    const { ids, last }: FoundChecks = reading(log, () => findChecks(log, filter, from, together));
    const entries = reading(log, () => entriesAt(log, ids));
    for (const id of ids) {
      const entry = entries.get(id);
      if (entry) yield entry;
    }
    after = last;
  } while (after);
}

/** Follows the matching checks of a log from now on. Its calls throw StoreError if the file cannot be read. */
export function tailLog(log: LogFile, filter: CheckFilter): LogTail {
  let lastId = reading(log, () => newestIdOf(log));
  return {
    next: async () =>
      reading(log, () => {
        const newestId = newestIdOf(log);
        for (;;) {
          const rows = loggedAfter(log, filter, lastId);
          const isEnd = rows.length < ROWS_PER_READ;
          lastId = isEnd ? Math.max(lastId, newestId) : (rows.at(-1)?.id ?? lastId);
          const ids = ofDomain(rows, filter.domain).map(({ id }) => id);
          const found = entriesAt(log, ids);
          const entries = ids.flatMap((id) => found.get(id) ?? []);
          if (isEnd || entries.length > 0) return entries;
        }
      }),
  };
}

type LoggedRow = Pick<typeof checks.$inferSelect, 'id' | 'host' | 'url'>;

/** Returns the first checks that match except for the domain, in log order, for which there is no domain index. */
function loggedAfter({ db }: LogFile, filter: CheckFilter, afterId: number): LoggedRow[] {
  const { id, host, url } = checks;
  const conditions = and(gt(id, afterId), ...matching(filter, null));
  return db.select({ id, host, url }).from(checks).where(conditions).orderBy(id).limit(ROWS_PER_READ).all();
}

function ofDomain(rows: readonly LoggedRow[], domain: string | null): readonly LoggedRow[] {
  if (domain === null) return rows;
  const key = domainKey(domain);
  return rows.filter((row) => key !== null && isOfDomain(row, key));
}

/** Returns a check by id; null if the log has none. Throws StoreError if the file cannot be read. */
export function findEntry(log: LogFile, requestId: string): LogEntry | null {
  if (!isRequestId(requestId)) return null;
  return reading(log, () => {
    const row = log.db
      .select({ id: checks.id })
      .from(checks)
      .where(withRequestIds([requestId]))
      .get();
    return row ? (entriesAt(log, [row.id]).get(row.id) ?? null) : null;
  });
}

function reading<T>({ path }: LogFile, query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw asStoreError(path, error);
  }
}

function entriesAt({ db }: LogFile, ids: readonly number[]): Map<number, LogEntry> {
  const rows = db
    .select({ ...RESULT_COLUMNS, id: checks.id, clientHash: checks.clientHash, isUndelivered: checks.isUndelivered })
    .from(checks)
    .leftJoin(activeSettings, eq(activeSettings.id, checks.activeSettingsId))
    .where(inArray(checks.id, [...ids]))
    .all();
  return new Map(
    rows.map(({ id, clientHash, isUndelivered, ...row }) => [
      id,
      { result: resultOfRow(row), clientHash: clientHash?.toString('hex') ?? null, isDelivered: !isUndelivered },
    ]),
  );
}
