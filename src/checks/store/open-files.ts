import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { makePrivateDirectory } from './file/directory-lock.ts';
import { isDamage } from './file/fault.ts';
import { type LogFile, type OpenLogFile, openLogFile } from './file/log-file.ts';
import { type LedgerNotice, readNotices } from './ledger/notices.ts';
import { lastIdOf } from './read/find-checks.ts';
import { openHistory } from './read/history.ts';
import { BadCursorError } from './scan-log.ts';
import { openClientHash } from './write/client-hash.ts';
import { notReadableError } from './write/log-errors.ts';
import { createLogWriter, type LogWriter } from './write/log-writer.ts';

/** Disk space for the deletes and the checkpoint that free space again. */
const DEFAULT_RESERVE_BYTES = 8 * 1024 * 1024;

/** Called for a log when something was committed, and when its file is found to be damaged. */
export interface FileEvents {
  committed(visibility: Visibility): void;
  damaged(log: LogFile, problem: string): void;
}

/** Reads of one log by the history. */
export type FileHistory = ReturnType<typeof openHistory> & { readonly reading: ReturnType<typeof readingWith> };

/** The files of both logs with what reads and writes them; each can be replaced while it is in use. */
export interface OpenFiles extends Disposable {
  /** The present files. */
  readonly logs: Readonly<Record<Visibility, LogFile>>;
  readonly history: Readonly<Record<Visibility, FileHistory>>;
  /** Throws if the logs are open for reading only. */
  writerOf(visibility: Visibility): LogWriter;
  /** Losses found in the logs: open notices, and those that could not be stored. */
  notices(): LedgerNotice[];
  /** Sets a damaged file aside and opens a new one. Returns false if that failed, for instance on a full disk. */
  replace(visibility: Visibility, problem: string): boolean;
  /** Commits what waits, and refuses later checks. */
  stopWriting(): void;
}

/** Opens the files. Throws StoreError. */
export function openFiles(options: LocalLogOptions, events: FileEvents): OpenFiles {
  const { dataDir, access, clock, logger } = options;
  const isWriter = access !== 'read';
  if (isWriter) makePrivateDirectory(dataDir, logger);
  using opening = new DisposableStack();
  const open = (visibility: Visibility, damage?: OpenLogFile['damage']) =>
    openLogFile({
      ...{ dataDir, visibility, create: isWriter, repair: access === 'serve', nowMs: clock.now(), logger },
      ...(damage && { damage }),
      onRemoved: (requestIds) => options.onRemoved?.(visibility, requestIds),
    });
  const logs = { public: opening.use(open('public')), private: opening.use(open('private')) };
  const found = [logs.public.notice, logs.private.notice].filter((notice) => notice !== null);
  const notices = () => [...readNotices(dataDir), ...found.filter(({ isStored }) => !isStored)];
  for (const notice of { serve: notices(), append: found, read: [] }[access]) {
    logger.error('log.incomplete', { message: notice.message });
  }
  const hashClient = isWriter ? openClientHash(dataDir, options.clientKey) : null;
  const openWriter = (log: LogFile) =>
    hashClient &&
    createLogWriter(log, {
      ...{ hashClient, clock, logger },
      pace: { intervalMs: options.commitIntervalMs ?? 0, monotonicMs: clock.monotonicMs },
      reserveBytes: options.reserveBytes ?? DEFAULT_RESERVE_BYTES,
      onCommit: () => events.committed(log.visibility),
      onDamage: (problem) => events.damaged(log, problem),
    });
  const openHistoryOf = (log: LogFile): FileHistory => {
    const reading = readingWith((problem) => events.damaged(log, problem));
    return { reading, ...openHistory(log, reading) };
  };
  const writers = { public: openWriter(logs.public), private: openWriter(logs.private) };
  const history = { public: openHistoryOf(logs.public), private: openHistoryOf(logs.private) };
  opening.move();
  return {
    logs,
    history,
    notices,
    writerOf(visibility) {
      const writer = writers[visibility];
      if (!writer) throw new Error('The log is open for reading only.');
      return writer;
    },
    replace(visibility, problem) {
      const [log, writer] = [logs[visibility], writers[visibility]];
      try {
        logs[visibility] = open(visibility, { problem, newestId: newestIdUnlessDamaged(log) });
      } catch (error) {
        logger.error('log.replace_failed', { path: log.path, error });
        return false;
      }
      writers[visibility] = openWriter(logs[visibility]);
      history[visibility] = openHistoryOf(logs[visibility]);
      if (logs[visibility].notice?.isStored === false) found.push(logs[visibility].notice);
      // The checks that wait there are refused, and then logged in the new file.
      writer?.close();
      log.database.close();
      return true;
    },
    stopWriting() {
      for (const visibility of VISIBILITIES) writers[visibility]?.close();
    },
    [Symbol.dispose]() {
      for (const visibility of VISIBILITIES) logs[visibility][Symbol.dispose]();
    },
  };
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

/** Returns the last id that a damaged log gave; null if that is in the damaged part. */
function newestIdUnlessDamaged(log: LogFile): number | null {
  try {
    return lastIdOf(log);
  } catch {
    return null;
  }
}

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
  /** Called with the request ids of checks once they are removed. */
  readonly onRemoved?: ((visibility: Visibility, requestIds: readonly string[]) => void) | undefined;
  /** Free disk space below which checks are refused; default 8 MiB. */
  readonly reserveBytes?: number;
  /** Delay of the damage check after an unclean stop; default 2 s. */
  readonly quickCheckDelayMs?: number;
}
