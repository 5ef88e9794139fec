import { DrizzleQueryError } from 'drizzle-orm';
import type { Logger } from '#src/base/logger.ts';
import { UnavailableError } from '#src/base/refusal.ts';
import type { CheckRecord } from '#src/record/check-record.ts';
import { freeDiskBytes } from '../file/file-system.ts';
import type { LogFile } from '../file/log-file.ts';
import type { ClientHash } from './client-hash.ts';
import { createGroupCommit } from './group-commit.ts';
import { type InsertChecks, prepareInsert } from './insert-checks.ts';

/** A full disk is freed by a person, a locked file is free in a moment: between the two. */
const RETRY_AFTER_SECONDS = 10;

/** The way into one log. */
export interface LogWriter {
  /** Resolves once the record is on the disk. Throws UnavailableError `log_unavailable` where it cannot be kept. */
  append(record: CheckRecord): Promise<void>;
  /** Lets checks wait, unanswered, until the work on the file has ended. */
  holdDuring<R>(work: () => Promise<R>): Promise<R>;
  /** Commits what waits, and refuses everything after. */
  close(): void;
  /** Why a record could not be kept now, in a sentence; null where it could. */
  problem(): string | null;
  /** Refuses everything from now on: the file is damaged, and writing would make it worse. */
  refuse(problem: string): void;
}

export interface LogWriterOptions {
  readonly hashClient: ClientHash;
  readonly logger: Logger;
  /** Disk space that is left alone, so that deleting, which needs some, still works. */
  readonly reserveBytes: number;
  /** Called after each commit. */
  readonly onCommit: () => void;
}

/** Opens the way into a log that is at the newest schema. */
export function createLogWriter(log: LogFile, options: LogWriterOptions): LogWriter {
  // Prepared with the first record: a start should not wait for the statements of a log that may get none.
  let insert: InsertChecks | null = null;
  const insertAll = log.database.transaction((records: readonly CheckRecord[]) => {
    insert ??= prepareInsert(log, options.hashClient);
    insert(records);
  });
  let refusal: UnavailableError | null = null;
  let isFailing = false;

  const queue = createGroupCommit<CheckRecord>((records) => {
    if (isDiskFull()) throw unavailable('the disk is full', null);
    insertAll.immediate(records);
    options.onCommit();
  });

  function isDiskFull(): boolean {
    return freeDiskBytes(log.path) < options.reserveBytes;
  }

  /** One line when it begins and one when it ends: a full disk must not fill what is left with messages. */
  function noteFailure(error: unknown): UnavailableError {
    const cause = withoutQuery(error);
    if (!isFailing) options.logger.error('log.append_failed', { log: log.visibility, error: cause });
    isFailing = true;
    return error instanceof UnavailableError ? error : unavailable('it could not be written', cause);
  }

  function noteRecovery(): void {
    if (isFailing) options.logger.info('log.append_recovered', { log: log.visibility });
    isFailing = false;
  }

  return {
    async append(record) {
      if (refusal) throw refusal;
      try {
        await queue.add(record);
        noteRecovery();
      } catch (error) {
        throw noteFailure(error);
      }
    },
    holdDuring: queue.holdDuring,
    problem: () => refusal?.message ?? (isDiskFull() ? 'Checks cannot be logged: the disk is full.' : null),
    close() {
      queue.flush();
      refusal ??= new UnavailableError('shutting_down', 'The service is shutting down.', RETRY_AFTER_SECONDS);
    },
    refuse(problem) {
      refusal ??= unavailable(problem, null);
    },
  };
}

/** Drizzle quotes the values of a query that failed, and a private URL must not reach a log by way of an error. */
function withoutQuery(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}

function unavailable(why: string, cause: unknown): UnavailableError {
  const message = `The check could not be logged, so it is not answered: ${why}.`;
  return new UnavailableError('log_unavailable', message, RETRY_AFTER_SECONDS, cause === null ? {} : { cause });
}
