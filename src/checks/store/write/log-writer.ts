import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { DrizzleQueryError } from 'drizzle-orm';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { MessageRecord } from '#src/checks/record/message-record.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { failureOf, faultOf, writeFailure } from '../file/fault.ts';
import { freeDiskBytes } from '../file/file-system.ts';
import { type LogFile, withoutSync } from '../file/log-file.ts';
import { checks, messages } from '../file/schema.ts';
import type { Mark } from '../ledger/ledger.ts';
import type { InsertMessages } from '../messages/insert-messages.ts';
import { withRequestIds } from '../read/check-filter.ts';
import type { ClientHash } from './client-hash.ts';
import { type CommitPace, createGroupCommit, type GroupCommit } from './group-commit.ts';
import { type InsertChecks, prepareInsert } from './insert-checks.ts';
import { notLoggedError, stoppingError } from './log-errors.ts';
import { createLogState, type LogState, type LogStateOptions } from './log-state.ts';

const fdatasyncInThread = promisify(fdatasync);

/**
 * Opens the sync of the write-ahead log of the SQLite file at `path`, for commits with `synchronous=NORMAL`, which SQLite
 * leaves to the system. This is as safe as `synchronous=FULL`, whose commits end with the same sync on the calling thread:
 *
 * - A check is answered after the sync of its commit, which covers all earlier frames of the write-ahead log too.
 * - A power failure before cuts commits off the end of the log, because frames have checksums that build on each other.
 * - A checkpoint syncs the log before it copies frames into the file, and the file before the log is restarted; a restarted
 *   log syncs its header. SQLite does these with NORMAL as with FULL, whichever thread checkpoints.
 *
 * A descriptor of the log itself may be closed: SQLite's locks are on the two files beside it.
 */
function openWalSync(path: string) {
  /** Not in use. Each sync in progress has a descriptor of its own, because the system reports an error once for each. */
  const descriptors: number[] = [];
  let isClosed = false;
  // The log exists once something was written.
  const open = () => descriptors.pop() ?? openSync(`${path}-wal`, 'r');
  const release = (descriptor: number) => {
    if (isClosed) closeSync(descriptor);
    else descriptors.push(descriptor);
  };
  return {
    /** Resolves once everything that was written before the call is on disk. The event loop does not wait. */
    async sync() {
      const descriptor = open();
      try {
        await fdatasyncInThread(descriptor);
      } finally {
        release(descriptor);
      }
    },
    /** As {@link sync}, before it returns. */
    syncNow() {
      const descriptor = open();
      try {
        fdatasyncSync(descriptor);
      } finally {
        release(descriptor);
      }
    },
    [Symbol.dispose]() {
      isClosed = true;
      for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
    },
  };
}

/** Writer of one log. */
export interface LogWriter {
  /** Resolves once the record is on disk. Throws UnavailableError `log_unavailable` if it cannot be stored. */
  append(record: CheckRecord): Promise<void>;
  /** The same for the check of a message. */
  appendMessage(message: MessageRecord): Promise<void>;
  /** See `ScanLog.markUndelivered`. */
  markUndelivered(requestId: string, kind?: 'message'): void;
  /** Holds checks, unanswered, until the work on the file has ended, see {@link GroupCommit.holdDuring}. */
  holdDuring: GroupCommit<unknown>['holdDuring'];
  /** Resolves when no such work is in progress. */
  unlessHeld(): Promise<void>;
  /** Commits the queued records, and refuses later ones. */
  close(): void;
  /** State of the log. */
  readonly state: LogState;
}

export interface LogWriterOptions extends LogStateOptions {
  readonly hashClient: ClientHash;
  /** Disk space that is reserved for deleting. */
  readonly reserveBytes: number;
  readonly pace: CommitPace;
  /** Called after each commit. */
  readonly onCommit: () => void;
}

/** Item of a commit: a record, or the id of a stored one that was not delivered. */
type Entry =
  | { readonly record: CheckRecord }
  | { readonly undelivered: string }
  | { readonly message: MessageRecord }
  | { readonly undeliveredMessage: string };

/** Checks of messages of a commit; nearly always none, which costs no statement. */
interface MessageWork {
  readonly added: readonly MessageRecord[];
  readonly undelivered: readonly string[];
}

/** Creates the writer of a log at the latest schema. */
export function createLogWriter(log: LogFile, options: LogWriterOptions): LogWriter {
  // Prepared with the first record: a start should not wait for statements that may not be needed.
  let insert: InsertChecks | null = null;
  let insertMessages: InsertMessages | null = null;
  function writeMessages({ added, undelivered }: MessageWork): void {
    if (undelivered.length > 0)
      log.db.update(messages).set({ isUndelivered: true }).where(withRequestIds(undelivered, messages)).run();
    if (added.length === 0) return;
    insertMessages?.(added);
  }
  const write = log.database.transaction(
    (records: readonly CheckRecord[], undelivered: string[], work: MessageWork) => {
      if (undelivered.length > 0) {
        log.db.update(checks).set({ isUndelivered: true }).where(withRequestIds(undelivered)).run();
      }
      writeMessages(work);
      if (records.length === 0) return 0;
      insert ??= prepareInsert(log, options.hashClient);
      return insert(records);
    },
  );
  const state = createLogState(log, () => freeDiskBytes(log.path) < options.reserveBytes, options);
  const wal = openWalSync(log.path);
  /** Checks that were written and then refused, because their sync failed. */
  let unsynced: readonly string[] = [];
  let unsyncedMessages: readonly string[] = [];
  let isClosed = false;

  const queue = createGroupCommit<Entry>({ write: writeEntries, ...wal }, options.pace);

  function writeEntries(entries: readonly Entry[]): (isOnDisk: boolean) => void {
    const obstacle = state.obstacle();
    if (obstacle !== null) throw notLoggedError(obstacle);
    const records = entries.flatMap((entry) => ('record' in entry ? entry.record : []));
    const undelivered = entries.flatMap((entry) => ('undelivered' in entry ? entry.undelivered : []));
    const refused = [...unsynced, ...undelivered];
    const work = messageWork(entries, unsyncedMessages);
    const firstId = commit(records, refused, work);
    [unsynced, unsyncedMessages] = [[], []];
    return (isOnDisk) => {
      if (!isOnDisk) {
        unsynced = [...unsynced, ...refused, ...records.map(({ result }) => result.request_id)];
        unsyncedMessages = [...unsyncedMessages, ...work.undelivered, ...work.added.map((one) => one.request_id)];
        return;
      }
      noteInLedger(records, firstId);
      options.onCommit();
    };
  }

  function commit(records: readonly CheckRecord[], undelivered: string[], work: MessageWork): number {
    try {
      if (unsynced.length + unsyncedMessages.length > 0) restartWal(log);
      return withoutSync(log, () => write.immediate(records, undelivered, work));
    } catch (error) {
      throw writeFailure(log.path, error);
    }
  }

  function noteInLedger(records: readonly CheckRecord[], firstId: number): void {
    const [first] = records;
    const last = records.at(-1);
    if (first && last) log.ledger?.committed(markOf(first, firstId), markOf(last, firstId + records.length - 1));
  }

  /** Converts a write error. The answer names a fault of the file; other causes are only logged. */
  function asUnavailable(error: unknown): UnavailableError {
    if (error instanceof UnavailableError) return error;
    const cause = withoutQuery(error);
    return notLoggedError(faultOf(cause)?.matter ?? 'it could not be written', cause);
  }

  async function add(entry: Entry): Promise<void> {
    if (isClosed) throw stoppingError();
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
    async appendMessage(message) {
      // Loaded for the first message.
      const { prepareInsertMessages } = await import('../messages/insert-messages.ts');
      insertMessages ??= prepareInsertMessages(log, options.hashClient);
      await add({ message });
    },
    // The failure is logged; no one waits for it.
    markUndelivered: (requestId, kind) =>
      void add(kind === 'message' ? { undeliveredMessage: requestId } : { undelivered: requestId }).catch(() => {}),
    holdDuring: queue.holdDuring,
    unlessHeld: queue.unlessHeld,
    close() {
      queue.flush();
      isClosed = true;
      wal[Symbol.dispose]();
    },
  };
}

function messageWork(entries: readonly Entry[], unsynced: readonly string[]): MessageWork {
  const marked = entries.flatMap((entry) => ('undeliveredMessage' in entry ? entry.undeliveredMessage : []));
  return {
    added: entries.flatMap((entry) => ('message' in entry ? entry.message : [])),
    undelivered: [...unsynced, ...marked],
  };
}

/**
 * Moves all commits into the file and restarts the write-ahead log. After a failed sync the system forgets which of the log's
 * pages are not on disk; later commits behind such a page would be lost with it.
 */
function restartWal({ database }: LogFile): void {
  const { timeout = 0 } = database.query<{ timeout: number }, []>('pragma busy_timeout').get() ?? {};
  // A reader in the way must not stop the service: the next check tries again.
  database.run('pragma busy_timeout = 0');
  try {
    const state = database.query<{ busy: number }, []>('pragma wal_checkpoint(restart)').get();
    if (state?.busy !== 0) throw failureOf('another process is reading the log', 'SQLITE_BUSY');
  } finally {
    database.run(`pragma busy_timeout = ${timeout}`);
  }
}

function markOf({ result }: CheckRecord, id: number): Mark {
  return { id, requestId: result.request_id, atMs: Date.parse(result.timestamp) };
}

/** Drizzle quotes the values of a failed query; a private URL must not reach a log that way. */
function withoutQuery(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}
