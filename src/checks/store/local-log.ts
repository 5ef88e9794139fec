import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { createDeletions, type Deletions } from './deletions/deletions.ts';
import { type ExportRecord, openExportRecord } from './exports/export-record.ts';
import { backUp } from './file/backup.ts';
import { makePrivateDirectory } from './file/data-directory.ts';
import { lockDirectory } from './file/directory-lock.ts';
import { isDamage } from './file/fault.ts';
import { freeDiskBytes } from './file/file-system.ts';
import { type LogFile, openLogFile } from './file/log-file.ts';
import { beginRun } from './file/run-marker.ts';
import { noteDamage } from './ledger/damage.ts';
import { readNotices } from './ledger/notices.ts';
import { newestMsOf } from './read/find-checks.ts';
import { openHistory } from './read/history.ts';
import { type LoggedCheck, readKept } from './read/read-stored.ts';
import { findEntry, readLog, tailLog } from './read/read-log.ts';
import { readStats } from './read/stats.ts';
import { BadCursorError, type ScanLog } from './scan-log.ts';
import type { Bounds } from './upkeep/bounds.ts';
import { type LogSize, logSizeOf } from './upkeep/log-size.ts';
import { createMaintenance, type Maintenance } from './upkeep/maintenance.ts';
import { openClientHash } from './write/client-hash.ts';
import { createLogWriter, type LogWriter } from './write/log-writer.ts';
import { unreadable } from './write/log-errors.ts';

/** Enough for the deletes and the checkpoint that free space again. */
const DEFAULT_RESERVE_BYTES = 8 * 1024 * 1024;

/** After an unclean stop the files are looked through only once the service has answered for a while. */
const QUICK_CHECK_DELAY_MS = 2000;

/**
 * What a process does with the data directory. `serve` holds its lock; `append` writes beside a server; `read` needs logs
 * that are there, changes no check, and may ask for deletions.
 */
export type LogAccess = 'serve' | 'append' | 'read';

export interface LocalLogOptions {
  readonly dataDir: string;
  /** The key by which clients are hashed; one in the data directory where none is given. */
  readonly clientKey?: Buffer | null;
  readonly access: LogAccess;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Free disk space below which checks are refused; default 8 MiB. */
  readonly reserveBytes?: number;
  /** Delay of the search for damage after an unclean stop; default 2 s. */
  readonly quickCheckDelayMs?: number;
}

/** The two logs as files of this machine, and what only such have. */
export interface LocalLog extends ScanLog {
  /**
   * Removes checks that began before the moment given, without a trace in any file. Resolves with their number. What was
   * logged after a check that stays, stays as well: a clock that jumped may have dated it. Checks that come in meanwhile go
   * in between, and the room goes back to the system. Copies that an upgrade left beside the file go as well. Only with
   * the access `serve`.
   */
  purge(visibility: Visibility, beforeMs: number): Promise<number>;
  /**
   * Removes the oldest checks of a log that is beyond its bounds, or has to give room back, as {@link purge} does. Resolves
   * with their number.
   */
  trim(visibility: Visibility, bounds: Bounds, missingBytes: number): Promise<number>;
  /** What the operator has deleted, and deletes. */
  readonly deletions: Deletions;
  /** Which private checks were exported. */
  readonly exports: ExportRecord;
  /** The first `limit` checks that were logged after `afterId`, in the form in which they are kept. Throws StoreError. */
  keptAfter(visibility: Visibility, afterId: number, limit: number): readonly LoggedCheck[];
  /** When the newest check of a log began, in milliseconds since the Unix epoch; null where there is none. */
  newestMs(visibility: Visibility): number | null;
  /** How much a log holds. Throws where its file cannot be read. */
  size(visibility: Visibility): LogSize;
  /** Free bytes of the disk that the logs lie on. */
  freeDiskBytes(): number;
  /** What was lost from the logs, with what to do about it, in sentences for the operator. */
  notices(): readonly string[];
  /** Writes a compact copy of one log to a file that does not exist yet. */
  backUp(visibility: Visibility, path: string): void;
}

/**
 * Opens the logs of a data directory.
 *
 * @throws StoreError where the directory is in use, not accessible, damaged, or of a newer version
 */
export function openLocalLog(options: LocalLogOptions): Promise<LocalLog> {
  return new Promise((resolve) => resolve(openNow(options)));
}

function openNow(options: LocalLogOptions): LocalLog {
  const { dataDir, access, clock, logger } = options;
  const isWriter = access !== 'read';
  if (isWriter) makePrivateDirectory(dataDir, logger);
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
  const found = [logs.public.notice, logs.private.notice].filter((notice) => notice !== null);
  const notices = () => [...readNotices(dataDir), ...found.filter(({ isKept }) => !isKept)];
  for (const notice of { serve: notices(), append: found, read: [] }[access]) {
    logger.error('log.incomplete', { message: notice.message });
  }
  const writers = isWriter ? openWriters() : null;
  const maintenance = createMaintenance(logs, writerOf, logger);
  const marker = access === 'serve' ? beginRun(dataDir) : null;
  if (marker?.wasUnclean) maintenance.checkIn(options.quickCheckDelayMs ?? QUICK_CHECK_DELAY_MS);
  // From here on it is the caller who closes what is open.
  opening.move();

  function openWriters(): Record<Visibility, LogWriter> {
    const hashClient = openClientHash(dataDir, options.clientKey);
    const writer = (visibility: Visibility) =>
      createLogWriter(logs[visibility], {
        hashClient,
        clock,
        logger,
        reserveBytes: options.reserveBytes ?? DEFAULT_RESERVE_BYTES,
        onCommit: () => maintenance.committed(visibility),
        onDamage: (problem) => noteDamage(logs[visibility].path, visibility, problem, logger),
      });
    return { public: writer('public'), private: writer('private') };
  }

  function writerOf(visibility: Visibility): LogWriter {
    if (!writers) throw new Error('The log is open for reading only.');
    return writers[visibility];
  }

  function problemOf(visibility: Visibility): string | null {
    const problem = writerOf(visibility).state.problem();
    return problem === null ? null : `The ${visibility} log cannot be written: ${problem}.`;
  }

  const history = openHistories(logs, (visibility, problem) => writers?.[visibility].state.damaged(problem));

  return {
    append: async (record) => await writerOf(record.visibility).append(record),
    markUndelivered: (visibility, requestId) => writerOf(visibility).markUndelivered(requestId),
    page: (query, visibility = 'public') => history[visibility].page(query),
    summary: history.public.summary,
    walk: history.public.walk,
    read: async function* (visibility, filter, together) {
      yield* readLog(logs[visibility], filter, together);
    },
    tail: async (visibility, filter) => tailLog(logs[visibility], filter),
    find: async (visibility, requestId) => findEntry(logs[visibility], requestId),
    purge: async (visibility, beforeMs) => {
      onlyAsServer(access);
      return await maintenance.purge(visibility, beforeMs, clock.now());
    },
    trim: async (visibility, bounds, missingBytes) => {
      onlyAsServer(access);
      return await maintenance.trim(visibility, bounds, missingBytes);
    },
    deletions: openDeletions(logs, maintenance, options),
    exports: openExports(logs.private, options),
    keptAfter: (visibility, afterId, limit) => readKept(logs[visibility], afterId, limit),
    newestMs: (visibility) => newestMsOf(logs[visibility]),
    size: (visibility) => logSizeOf(logs[visibility]),
    freeDiskBytes: () => freeDiskBytes(dataDir),
    stats: () => history.public.reading(() => readStats(logs.public, dataDir, clock.now()), 'statistics'),
    notices: () => notices().map(({ message }) => message),
    health: async () => {
      await maintenance.trials.run();
      const problems = { public: problemOf('public'), private: problemOf('private') };
      const problem = problems.public ?? problems.private;
      // Where the folder has gone there is nowhere to look for notices.
      return {
        problem,
        problems,
        notices: problem === null ? notices().map(({ publicMessage }) => publicMessage) : [],
      };
    },
    backUp: (visibility, path) => backUp(logs[visibility].database, path),
    async [Symbol.asyncDispose]() {
      if (writers) for (const writer of Object.values(writers)) writer.close();
      await maintenance[Symbol.asyncDispose]();
      files.dispose();
      marker?.end();
      lock?.[Symbol.dispose]();
    },
  };
}

function openHistories(
  logs: Readonly<Record<Visibility, LogFile>>,
  onDamage: (visibility: Visibility, problem: string) => void,
) {
  const open = (visibility: Visibility) => {
    const reading = readingWith((problem) => onDamage(visibility, problem));
    return { reading, ...openHistory(logs[visibility], reading) };
  };
  return { public: open('public'), private: open('private') };
}

/** A damaged file makes a query fail; that is no fault of the one who asked. */
function readingWith(onDamage: (problem: string) => void) {
  return async <T>(query: () => T | Promise<T>, what: 'history' | 'statistics' = 'history'): Promise<T> => {
    try {
      return await query();
    } catch (error) {
      if (error instanceof BadCursorError) throw error;
      if (isDamage(error)) onDamage(String(error));
      throw unreadable(what, error);
    }
  };
}

function openDeletions(
  logs: Readonly<Record<Visibility, LogFile>>,
  maintenance: Pick<Maintenance, 'forget'>,
  { dataDir, access, clock }: LocalLogOptions,
): Deletions {
  return createDeletions(logs, {
    forget: async (visibility, plan) => {
      onlyAsServer(access);
      return await maintenance.forget(visibility, plan);
    },
    // A client may be called as a domain is, and must not be found by it.
    hashOf: (wanted) => openClientHash(dataDir)(`deletion of ${wanted}`),
    now: clock.now,
  });
}

function openExports(log: LogFile, { dataDir, clock }: LocalLogOptions): ExportRecord {
  return openExportRecord(log, {
    hashOf: (selection) => openClientHash(dataDir)(`export of ${selection}`),
    now: clock.now,
  });
}

/** Anyone else has no say in when the server's checks hold still. */
function onlyAsServer(access: LogAccess): void {
  if (access !== 'serve') throw new Error('Only who serves from the data directory may remove checks.');
}
