import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { createDeletions, type Deletions } from './deletions/deletions.ts';
import { type ExportRecord, openExportRecord } from './exports/export-record.ts';
import { backUp } from './file/backup.ts';
import { lockDirectory, makePrivateDirectory } from './file/directory-lock.ts';
import { isDamage } from './file/fault.ts';
import { freeDiskBytes } from './file/file-system.ts';
import { type LogFile, openLogFile } from './file/log-file.ts';
import { noteDamage } from './ledger/damage.ts';
import { readNotices } from './ledger/notices.ts';
import { newestMsOf } from './read/find-checks.ts';
import { openHistory } from './read/history.ts';
import { findEntry, readLog, tailLog } from './read/read-log.ts';
import { type LoggedCheck, readStoredChecks } from './read/read-stored.ts';
import { readStats } from './read/stats.ts';
import { BadCursorError, type ScanLog } from './scan-log.ts';
import type { Bounds } from './upkeep/bounds.ts';
import { type LogSize, logSizeOf } from './upkeep/log-size.ts';
import { createMaintenance, type Maintenance } from './upkeep/maintenance.ts';
import { openClientHash } from './write/client-hash.ts';
import { notReadableError } from './write/log-errors.ts';
import { createLogWriter, type LogWriter } from './write/log-writer.ts';

/** Disk space for the deletes and the checkpoint that free space again. */
const DEFAULT_RESERVE_BYTES = 8 * 1024 * 1024;

/** Delay of the damage check after an unclean stop, so that the service answers first. */
const QUICK_CHECK_DELAY_MS = 2000;

/**
 * Use of the data directory. `serve` holds its lock; `append` writes beside a server; `read` needs existing logs,
 * changes no check, and may request deletions.
 */
export type LogAccess = 'serve' | 'append' | 'read';

export interface LocalLogOptions {
  readonly dataDir: string;
  /** Key for client hashes; by default one in the data directory. */
  readonly clientKey?: Buffer | null;
  readonly access: LogAccess;
  /** Least time between two commits, in milliseconds; default 0. */
  readonly commitIntervalMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Free disk space below which checks are refused; default 8 MiB. */
  readonly reserveBytes?: number;
  /** Delay of the damage check after an unclean stop; default 2 s. */
  readonly quickCheckDelayMs?: number;
}

/** The two logs as local files. */
export interface LocalLog extends ScanLog {
  /**
   * Removes checks that began before a moment, without a trace in any file. Resolves with their number. A check that
   * was logged after one that stays is kept, because a clock that jumped may have dated it. New checks are appended
   * meanwhile, and freed space is returned to the system. Upgrade backups beside the file are removed as well. Only
   * with access `serve`.
   */
  purge(visibility: Visibility, beforeMs: number): Promise<number>;
  /**
   * Removes the oldest checks of a log that exceeds its bounds or must free space, as {@link purge} does. Resolves with
   * their number.
   */
  trim(visibility: Visibility, bounds: Bounds, missingBytes: number): Promise<number>;
  /** Deletions requested by the operator. */
  readonly deletions: Deletions;
  /** Record of exports of private checks. */
  readonly exports: ExportRecord;
  /** Returns the first `limit` checks logged after `afterId`, in their stored form. Throws StoreError. */
  storedAfter(visibility: Visibility, afterId: number, limit: number): readonly LoggedCheck[];
  /** Start of the latest check of a log, in milliseconds since the Unix epoch; null if the log is empty. */
  newestMs(visibility: Visibility): number | null;
  /** Returns the size of a log. Throws if its file cannot be read. */
  size(visibility: Visibility): LogSize;
  /** Returns the free bytes of the logs' disk. */
  freeDiskBytes(): number;
  /** Losses found in the logs, with what to do about them, as sentences for the operator. */
  notices(): readonly string[];
  /** Writes a compact copy of one log to a new file. */
  backUp(visibility: Visibility, path: string): void;
}

/**
 * Opens the logs of a data directory.
 *
 * @throws StoreError if the directory is in use, not accessible, damaged, or of a newer version
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
  const notices = () => [...readNotices(dataDir), ...found.filter(({ isStored }) => !isStored)];
  for (const notice of { serve: notices(), append: found, read: [] }[access]) {
    logger.error('log.incomplete', { message: notice.message });
  }
  const writers = isWriter ? openWriters() : null;
  const maintenance = createMaintenance(logs, writerOf, logger);
  const marker = access === 'serve' ? beginRun(dataDir) : null;
  if (marker?.wasUnclean) maintenance.checkIn(options.quickCheckDelayMs ?? QUICK_CHECK_DELAY_MS);
  // From here on the caller closes what is open.
  opening.move();

  function openWriters(): Record<Visibility, LogWriter> {
    const hashClient = openClientHash(dataDir, options.clientKey);
    const writer = (visibility: Visibility) =>
      createLogWriter(logs[visibility], {
        ...{ hashClient, clock, logger },
        pace: { intervalMs: options.commitIntervalMs ?? 0, monotonicMs: clock.monotonicMs },
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
    storedAfter: (visibility, afterId, limit) => readStoredChecks(logs[visibility], afterId, limit),
    newestMs: (visibility) => newestMsOf(logs[visibility]),
    size: (visibility) => logSizeOf(logs[visibility]),
    freeDiskBytes: () => freeDiskBytes(dataDir),
    stats: () => history.public.reading(() => readStats(logs.public, dataDir, clock.now()), 'statistics'),
    notices: () => notices().map(({ message }) => message),
    health: async () => {
      await maintenance.trials.run();
      const problems = { public: problemOf('public'), private: problemOf('private') };
      const problem = problems.public ?? problems.private;
      // A missing folder has no notices.
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

/** Reports a damaged file as unavailable: the client is not at fault. */
function readingWith(onDamage: (problem: string) => void) {
  return async <T>(query: () => T | Promise<T>, what: 'history' | 'statistics' = 'history'): Promise<T> => {
    try {
      return await query();
    } catch (error) {
      if (error instanceof BadCursorError) throw error;
      if (isDamage(error)) onDamage(String(error));
      throw notReadableError(what, error);
    }
  };
}

function openDeletions(
  logs: Readonly<Record<Visibility, LogFile>>,
  maintenance: Pick<Maintenance, 'erase'>,
  { dataDir, access, clock }: LocalLogOptions,
): Deletions {
  return createDeletions(logs, {
    erase: async (visibility, plan) => {
      onlyAsServer(access);
      return await maintenance.erase(visibility, plan);
    },
    // The prefix separates these hashes from those of clients, which may look like a domain.
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

/** Only the serving process may pause appends. */
function onlyAsServer(access: LogAccess): void {
  if (access !== 'serve') throw new Error('Only the process that serves from the data directory may delete checks.');
}

/** A file that exists while a server runs. */
export interface RunMarker {
  /** True if the previous server was killed or lost power. */
  readonly wasUnclean: boolean;
  /** Marks a clean stop. */
  end(): void;
}

/** Starts a run. Only the holder of the directory's lock may call it. */
function beginRun(dataDir: string): RunMarker {
  const path = `${dataDir}/serve.running`;
  const wasUnclean = existsSync(path);
  if (!wasUnclean) writeFileSync(path, '', { mode: 0o600 });
  return { wasUnclean, end: () => rmSync(path, { force: true }) };
}
