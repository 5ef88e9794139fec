import { chmodSync, mkdirSync } from 'node:fs';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { UnavailableError } from '#src/base/refusal.ts';
import type { CheckRecord, Visibility } from '#src/record/check-record.ts';
import type { HistoryPage } from '#src/record/history-page.ts';
import type { Stats } from '#src/record/stats.ts';
import { backUp, removeCopies } from './backup.ts';
import { createCheckpointer } from './checkpointer.ts';
import { openClientHash } from './client-hash.ts';
import { BadCursorError } from './cursor.ts';
import { lockDirectory } from './directory-lock.ts';
import type { CheckFilter } from './find-checks.ts';
import { type HistoryQuery, historyPage } from './history.ts';
import { openLogFile } from './log-file.ts';
import { createLogWriter, type LogWriter } from './log-writer.ts';
import { purgeLog } from './purge.ts';
import { findEntry, type LogEntry, readLog } from './read-log.ts';
import { beginRun } from './run-marker.ts';
import { readStats } from './stats.ts';
import { StoreError } from './store-error.ts';

/** Enough for the deletes and the checkpoint that free space again. */
const DEFAULT_RESERVE_BYTES = 8 * 1024 * 1024;

/** After an unclean stop the files are looked through only once the service has answered for a while. */
const QUICK_CHECK_DELAY_MS = 2000;

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
  /** Free disk space below which checks are refused; default 8 MiB. */
  readonly reserveBytes?: number;
  /** Delay of the search for damage after an unclean stop; default 2 s. */
  readonly quickCheckDelayMs?: number;
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
  /**
   * Removes checks that began before the moment given, without a trace in any file. Resolves with their number. The file
   * is written anew, which needs its size in free space, and checks that come in meanwhile wait. Copies that an upgrade
   * left beside the file go as well.
   */
  purge(visibility: Visibility, beforeMs: number): Promise<number>;
  /** What the public checks add up to. */
  stats(): Stats;
  /** Writes a compact copy of one log to a file that does not exist yet. */
  backUp(visibility: Visibility, path: string): void;
}

/**
 * Opens the logs of a data directory.
 *
 * @throws StoreError where the directory is in use, not accessible, damaged, or of a newer version
 */
export function openScanLog(options: ScanLogOptions): Promise<ScanLog & AsyncDisposable> {
  return new Promise((resolve) => resolve(openNow(options)));
}

function openNow(options: ScanLogOptions): ScanLog & AsyncDisposable {
  const { dataDir, access, clock, logger } = options;
  const isWriter = access !== 'read';
  if (isWriter) makePrivateDirectory(dataDir);
  using opening = new DisposableStack();
  const lock = access === 'serve' ? opening.use(lockDirectory(dataDir)) : null;
  const files = opening.use(new DisposableStack());
  const open = (visibility: Visibility) =>
    files.use(
      openLogFile({
        dataDir,
        visibility,
        create: isWriter,
        repair: access === 'serve',
        nowMs: clock.now(),
        logger,
      }),
    );
  const logs = { public: open('public'), private: open('private') };
  const checkpointer = createCheckpointer(logger, cutWal);
  const writers = isWriter ? openWriters() : null;
  const marker = access === 'serve' ? beginRun(dataDir) : null;
  const quickCheck = marker?.wasUnclean
    ? setTimeout(checkFiles, options.quickCheckDelayMs ?? QUICK_CHECK_DELAY_MS)
    : null;
  quickCheck?.unref();
  opening.move();

  function openWriters(): Record<Visibility, LogWriter> {
    const hashClient = openClientHash(dataDir);
    const writer = (visibility: Visibility) =>
      createLogWriter(logs[visibility], {
        hashClient,
        logger,
        reserveBytes: options.reserveBytes ?? DEFAULT_RESERVE_BYTES,
        onCommit: () => checkpointer.written(logs[visibility].path),
      });
    return { public: writer('public'), private: writer('private') };
  }

  function cutWal(path: string): void {
    const log = Object.values(logs).find((file) => file.path === path);
    if (!log || !writers) return;
    void writers[log.visibility]
      .holdDuring(() => checkpointer.run('truncate', path))
      .then((problem) => {
        if (problem !== null) logger.warn('log.checkpoint_failed', { path, problem });
      });
  }

  function checkFiles(): void {
    for (const { visibility, path } of Object.values(logs)) {
      void checkpointer.run('quick_check', path).then((problem) => {
        if (problem === null) return;
        logger.error('log.damaged', { path, problem, advice: 'stop, move the file aside, restore a backup' });
        writers?.[visibility].refuse(`the ${visibility} log is damaged, and the operator has to look at it`);
      });
    }
  }

  async function vacuum(writer: LogWriter, path: string): Promise<void> {
    const problem = await writer.holdDuring(() => checkpointer.run('vacuum', path));
    if (problem !== null) throw new Error(`The checks were removed, but ${path} could not be written anew: ${problem}`);
  }

  return {
    append: (record) => (writers ? writers[record.visibility].append(record) : Promise.reject(readOnly())),
    page: (query) => reading(() => historyPage(logs.public, query)),
    read: (visibility, filter) => readLog(logs[visibility], filter),
    find: (visibility, requestId) => findEntry(logs[visibility], requestId),
    async purge(visibility, beforeMs) {
      if (!writers) throw readOnly();
      const removed = await purgeLog(logs[visibility], beforeMs);
      if (removed > 0) await vacuum(writers[visibility], logs[visibility].path);
      removeCopies(logs[visibility].path, { finished: true });
      return removed;
    },
    stats: () => reading(() => readStats(logs.public, dataDir, clock.now())),
    backUp: (visibility, path) => backUp(logs[visibility].database, path),
    async [Symbol.asyncDispose]() {
      if (quickCheck) clearTimeout(quickCheck);
      if (writers) for (const writer of Object.values(writers)) writer.close();
      await checkpointer[Symbol.asyncDispose]();
      files.dispose();
      marker?.end();
      lock?.[Symbol.dispose]();
    },
  };
}

function readOnly(): Error {
  return new Error('The log is open for reading only.');
}

/** A damaged file makes a query fail; that is no fault of the one who asked. */
function reading<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    if (error instanceof BadCursorError) throw error;
    throw new UnavailableError('log_unavailable', 'The history cannot be read at the moment.', 10, { cause: error });
  }
}

function makePrivateDirectory(path: string): void {
  try {
    if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(path, 0o700);
  } catch (error) {
    throw new StoreError('not_accessible', `The data directory ${path} cannot be made. Choose another: --data-dir.`, {
      cause: error,
    });
  }
}
