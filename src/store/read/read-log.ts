import { eq, inArray, max } from 'drizzle-orm';
import type { CheckResult } from '#src/record/check-result.ts';
import { asStoreError } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import type { Position } from './cursor.ts';
import { type CheckFilter, findChecks, findLoggedAfter } from './find-checks.ts';

/** Short reads, so that a slow consumer never holds up a checkpoint. */
const ROWS_A_READ = 200;

/** One check out of a log, whole. */
export interface LogEntry {
  readonly result: CheckResult;
  /** Keyed hash of the client, lower-case hexadecimal; null in the public log and for the command line. */
  readonly clientHash: string | null;
  /** False where who asked was gone before the answer was written. */
  readonly isDelivered: boolean;
}

/** What matches, newest first, read as it is consumed. Throws StoreError where the file cannot be read. */
export function* readLog(log: LogFile, filter: CheckFilter): Generator<LogEntry> {
  let after: Position | null = null;
  do {
    const from: Position | null = after;
    const found: readonly Position[] = reading(log, () => findChecks(log, filter, from, ROWS_A_READ));
    const entries = reading(log, () =>
      entriesAt(
        log,
        found.map(({ id }) => id),
      ),
    );
    for (const { id } of found) {
      const entry = entries.get(id);
      if (entry) yield entry;
    }
    after = found.at(-1) ?? null;
  } while (after);
}

/** Entries in the order in which they were logged, and where to go on from. */
export interface LoggedSince {
  readonly entries: readonly LogEntry[];
  /** For the next call. */
  readonly lastId: number;
}

/**
 * What matches and was logged after `lastId`, oldest first and so many at a time; with null nothing, but where the log ends
 * now. Throws StoreError where the file cannot be read.
 */
export function readSince(log: LogFile, filter: CheckFilter, lastId: number | null): LoggedSince {
  return reading(log, () => {
    const newestId =
      log.db
        .select({ id: max(checks.id) })
        .from(checks)
        .get()?.id ?? 0;
    if (lastId === null) return { entries: [], lastId: newestId };
    const ids = findLoggedAfter(log, filter, lastId, ROWS_A_READ);
    const found = entriesAt(log, ids);
    const entries = ids.flatMap((id) => found.get(id) ?? []);
    return { entries, lastId: ids.length < ROWS_A_READ ? Math.max(lastId, newestId) : (ids.at(-1) ?? lastId) };
  });
}

/** The check with this id, null where the log has none. Throws StoreError where the file cannot be read. */
export function findEntry(log: LogFile, requestId: string): LogEntry | null {
  return reading(log, () => {
    const row = log.db.select({ id: checks.id }).from(checks).where(eq(checks.requestId, requestId)).get();
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

function entriesAt({ db }: LogFile, ids: number[]): Map<number, LogEntry> {
  const rows = db
    .select({
      id: checks.id,
      result: checks.result,
      clientHash: checks.clientHash,
      isUndelivered: checks.isUndelivered,
    })
    .from(checks)
    .where(inArray(checks.id, ids))
    .all();
  return new Map(
    rows.map(({ id, result, clientHash, isUndelivered }) => [
      id,
      { result: JSON.parse(result), clientHash: clientHash?.toString('hex') ?? null, isDelivered: !isUndelivered },
    ]),
  );
}
