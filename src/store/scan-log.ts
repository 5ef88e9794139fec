import { mkdirSync } from 'node:fs';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { UnavailableError } from '#src/base/refusal.ts';
import type { CheckRecord, Visibility } from '#src/record/check-record.ts';
import type { HistoryPage } from '#src/record/history-page.ts';
import type { Stats } from '#src/record/stats.ts';
import { openClientHash } from './client-hash.ts';
import { lockDirectory } from './directory-lock.ts';
import type { CheckFilter } from './find-checks.ts';
import { createGroupCommit } from './group-commit.ts';
import { type HistoryQuery, historyPage } from './history.ts';
import { prepareInsert } from './insert-checks.ts';
import { openLogFile } from './log-file.ts';
import { purgeLog } from './purge.ts';
import { findEntry, type LogEntry, readLog } from './read-log.ts';
import { readStats } from './stats.ts';

/** Why to ask again so soon: a full disk is usually noticed and freed by a person, a busy file is free in a moment. */
const RETRY_AFTER_SECONDS = 10;

/**
 * What a process does with the data directory. `serve` holds its lock; `append` writes beside a server; `read` changes
 * nothing and needs logs that are there.
 */
export type LogAccess = 'serve' | 'append' | 'read';

export interface ScanLogOptions {
  readonly dataDir: string;
  readonly access: LogAccess;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The two logs of checks. */
export interface ScanLog {
  /**
   * Keeps a record; resolves only once it would survive a power cut.
   *
   * @throws UnavailableError `log_unavailable` where it could not be kept, for instance on a full disk
   */
  append(record: CheckRecord): Promise<void>;
  /** A page of the public history. Throws BadCursorError for a cursor that is not one. */
  page(query: HistoryQuery): HistoryPage;
  /** The checks of one log, whole, newest first. */
  read(visibility: Visibility, filter: CheckFilter): Iterable<LogEntry>;
  /** One check by its id, null where the log has none. */
  find(visibility: Visibility, requestId: string): LogEntry | null;
  /** Removes checks that began before the moment given, without a trace. Resolves with their number. */
  purge(visibility: Visibility, beforeMs: number): Promise<number>;
  /** What the public checks add up to. */
  stats(): Stats;
}

/**
 * Opens the logs of a data directory.
 *
 * @throws StoreError where the directory is in use, not accessible, damaged, or of a newer version
 */
export function openScanLog(options: ScanLogOptions): Promise<ScanLog & AsyncDisposable> {
  return new Promise((resolve) => resolve(openNow(options)));
}

function openNow({ dataDir, access, clock, logger }: ScanLogOptions): ScanLog & AsyncDisposable {
  const isWriter = access !== 'read';
  if (isWriter) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using opened = new DisposableStack();
  if (access === 'serve') opened.use(lockDirectory(dataDir));
  const open = (visibility: Visibility) =>
    opened.use(openLogFile(dataDir, visibility, { create: isWriter, nowMs: clock.now() }));
  const logs = { public: open('public'), private: open('private') };
  const hashClient = isWriter ? openClientHash(dataDir) : null;
  let isClosing = false;

  const queueOf = (visibility: Visibility) => {
    const { database } = logs[visibility];
    const insert = prepareInsert(logs[visibility], hashClient);
    const commit = database.transaction((records: readonly CheckRecord[]) => insert(records));
    return createGroupCommit<CheckRecord>((records) => commit.immediate(records));
  };
  const queues = { public: queueOf('public'), private: queueOf('private') };
  const kept = opened.move();

  return {
    async append(record) {
      if (isClosing) throw new UnavailableError('shutting_down', 'The service is shutting down.', RETRY_AFTER_SECONDS);
      try {
        await queues[record.visibility].add(record);
      } catch (error) {
        logger.error('log.append_failed', { visibility: record.visibility, error });
        throw new UnavailableError('log_unavailable', 'The check could not be logged.', RETRY_AFTER_SECONDS, {
          cause: error,
        });
      }
    },
    page: (query) => historyPage(logs.public, query),
    read: (visibility, filter) => readLog(logs[visibility], filter),
    find: (visibility, requestId) => findEntry(logs[visibility], requestId),
    purge: (visibility, beforeMs) => purgeLog(logs[visibility], beforeMs),
    stats: () => readStats(logs.public, dataDir, clock.now()),
    [Symbol.asyncDispose]: () => {
      isClosing = true;
      for (const queue of Object.values(queues)) queue.flush();
      kept.dispose();
      return Promise.resolve();
    },
  };
}
