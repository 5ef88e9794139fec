import { DrizzleQueryError } from 'drizzle-orm';
import { UnavailableError } from '#src/core/base/refusal.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { faultOf } from '../file/fault.ts';
import { freeDiskBytes } from '../file/file-system.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { writeFailure } from '../file/write-failure.ts';
import type { Mark } from '../ledger/extent.ts';
import { withRequestIds } from '../read/check-filter.ts';
import type { ClientHash } from './client-hash.ts';
import { createGroupCommit } from './group-commit.ts';
import { type InsertChecks, prepareInsert } from './insert-checks.ts';
import { createLogState, type LogState, type LogStateOptions } from './log-state.ts';
import { stopping, unlogged } from './log-errors.ts';

/** The way into one log. */
export interface LogWriter {
  /** Resolves once the record is on the disk. Throws UnavailableError `log_unavailable` where it cannot be kept. */
  append(record: CheckRecord): Promise<void>;
  /** See `ScanLog.markUndelivered`. */
  markUndelivered(requestId: string): void;
  /** Lets checks wait, unanswered, until the work on the file has ended. */
  holdDuring<R>(work: () => Promise<R>): Promise<R>;
  /** Resolves as soon as no such work is under way. */
  unlessHeld(): Promise<void>;
  /** Commits what waits, and refuses everything after. */
  close(): void;
  /** Whether records can be kept. */
  readonly state: LogState;
}

export interface LogWriterOptions extends LogStateOptions {
  readonly hashClient: ClientHash;
  /** Disk space that is left alone, so that deleting, which needs some, still works. */
  readonly reserveBytes: number;
  /** Called after each commit. */
  readonly onCommit: () => void;
}

/** What a commit brings: a record, or the word that one which is kept already was not delivered. */
type Entry = { readonly record: CheckRecord } | { readonly undelivered: string };

/** Opens the way into a log that is at the newest schema. */
export function createLogWriter(log: LogFile, options: LogWriterOptions): LogWriter {
  // Prepared with the first record: a start should not wait for the statements of a log that may get none.
  let insert: InsertChecks | null = null;
  const write = log.database.transaction((records: readonly CheckRecord[], undelivered: string[]) => {
    if (undelivered.length > 0) {
      log.db.update(checks).set({ isUndelivered: true }).where(withRequestIds(undelivered)).run();
    }
    if (records.length === 0) return 0;
    insert ??= prepareInsert(log, options.hashClient);
    return insert(records);
  });
  const state = createLogState(log, () => freeDiskBytes(log.path) < options.reserveBytes, options);
  let isClosed = false;

  const queue = createGroupCommit<Entry>((entries) => {
    const obstacle = state.obstacle();
    if (obstacle !== null) throw unlogged(obstacle);
    const records = entries.flatMap((entry) => ('record' in entry ? entry.record : []));
    const undelivered = entries.flatMap((entry) => ('undelivered' in entry ? entry.undelivered : []));
    noteInLedger(records, commit(records, undelivered));
    options.onCommit();
  });

  function commit(records: readonly CheckRecord[], undelivered: string[]): number {
    try {
      return write.immediate(records, undelivered);
    } catch (error) {
      throw writeFailure(log.path, error);
    }
  }

  function noteInLedger(records: readonly CheckRecord[], firstId: number): void {
    const [first] = records;
    const last = records.at(-1);
    if (first && last) log.ledger?.committed(markOf(first, firstId), markOf(last, firstId + records.length - 1));
  }

  /** Where the file is at fault the state knows why; else it is the record, and only the process log may know. */
  function asUnavailable(error: unknown): UnavailableError {
    if (error instanceof UnavailableError) return error;
    const cause = withoutQuery(error);
    return unlogged(faultOf(cause)?.matter ?? 'it could not be written', cause);
  }

  async function add(entry: Entry): Promise<void> {
    if (isClosed) throw stopping();
    try {
      await queue.add(entry);
      state.worked();
    } catch (error) {
      state.failed(withoutQuery(error));
      throw asUnavailable(error);
    }
  }

  return {
    state,
    append: (record) => add({ record }),
    // Why it failed is in the process log, and nobody waits to be told.
    markUndelivered: (requestId) => void add({ undelivered: requestId }).catch(() => {}),
    holdDuring: queue.holdDuring,
    unlessHeld: queue.unlessHeld,
    close() {
      queue.flush();
      isClosed = true;
    },
  };
}

function markOf({ result }: CheckRecord, id: number): Mark {
  return { id, requestId: result.request_id, atMs: Date.parse(result.timestamp) };
}

/** Drizzle quotes the values of a query that failed, and a private URL must not reach a log by way of an error. */
function withoutQuery(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}
