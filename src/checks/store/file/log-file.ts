import type { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import type { Visibility } from '#src/core/base/visibility.ts';
import { holds, type Ledger, logExtentOf, openLedger, readLedger } from '../ledger/ledger.ts';
import { describeLoss, describeLossInPublic, type Loss, lossOf } from '../ledger/loss.ts';
import { type LedgerNotice, noticePlace, writeNotice } from '../ledger/notices.ts';
import { fileStamp, type OpenFile, openOrReplace } from './open-or-replace.ts';

/** Busy timeout while closing, so that closing beside a server does not delay its checks. */
const CLOSE_BUSY_TIMEOUT_MS = 100;

/** A notice found at this start. */
export interface NewNotice extends LedgerNotice {
  /** True if it was written to a file; false on a full disk and for readers. */
  readonly isStored: boolean;
}

/** One of the two logs, open and at the latest schema. */
export interface LogFile extends Disposable {
  readonly visibility: Visibility;
  readonly path: string;
  readonly database: Database;
  readonly db: BunSQLiteDatabase;
  /** Null if the log is read-only. */
  readonly ledger: Ledger | null;
  /** Loss found when the log was opened; null if none. */
  readonly notice: NewNotice | null;
  /**
   * Returns true if the open file is the one at the path. A renamed, deleted, emptied or replaced file accepts commits
   * silently and loses them.
   */
  isInPlace(): boolean;
  /** Request ids of checks that a transaction removes, until it is committed. */
  readonly removing: string[];
  /** Called with the request ids of checks once they are removed. */
  readonly onRemoved: ((requestIds: readonly string[]) => void) | null;
  /** Copying back of checks of a quarantined file; null if it is not under way. */
  recovery: Recovery | null;
  /** Checks that began before may be in hours whose counts are stored. Milliseconds since the Unix epoch. */
  settledMs: number;
}

/** Progress of copying checks back, in log order. */
export interface Recovery {
  /** Id of the last check that is copied back or was examined. */
  readonly reachedId: number;
  /** Id up to which checks may come back. */
  readonly untilId: number;
}

export interface OpenLogFile extends Omit<OpenFile, 'expected'> {
  readonly dataDir: string;
  readonly visibility: Visibility;
  readonly onRemoved?: LogFile['onRemoved'];
}

/** Opens a log, upgrades it to the latest schema, and compares it with its ledger. Throws StoreError. */
export function openLogFile(options: OpenLogFile): LogFile {
  const { dataDir, visibility, create, onRemoved = null, logger } = options;
  const path = `${dataDir}/${visibility}.sqlite`;
  // Read before the log: a concurrent server extends both, the log first.
  const expected = readLedger(path, logger);
  const { database, seen, foundAs, movedTo } = openOrReplace(path, { ...options, expected }, (file) => ({
    extent: logExtentOf(file),
    isAsExpected: !expected?.newest || holds(file, expected.newest),
  }));
  const loss = lossOf(expected, { ...seen, foundAs, movedTo });
  const notice = loss && reportLoss(path, loss, movedTo, options);
  const ledger = create ? openLedger(path, seen.extent, logger) : null;
  const files = identity(path);
  return {
    visibility,
    path,
    database,
    db: drizzle(database),
    ledger,
    notice,
    isInPlace: () => identity(path) === files,
    removing: [],
    onRemoved,
    recovery: null,
    settledMs: options.nowMs,
    [Symbol.dispose]() {
      ledger?.[Symbol.dispose]();
      close(database, options);
    },
  };
}

/** Reports a loss. A reader does not write the notice; a writer will. */
function reportLoss(path: string, loss: Loss, movedTo: string | null, options: OpenLogFile): NewNotice {
  const { visibility, nowMs, create, logger } = options;
  const notice = {
    message: describeLoss(basename(path), loss, movedTo),
    publicMessage: describeLossInPublic(visibility, loss, movedTo),
  };
  const place = noticePlace(path, fileStamp(nowMs));
  const standing = { ...notice, message: `${notice.message} Remove ${place} once you have dealt with it.` };
  const isStored = create && writeNotice(place, standing, { ...loss }, logger);
  return { ...(isStored ? standing : notice), log: visibility, isStored };
}

/** Identifies the file at the path and its write-ahead log, which exists while the file is open. */
function identity(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return `${file?.size === 0 ? null : file?.ino} ${wal?.ino}`;
}

/** SQLite would truncate the write-ahead log itself if no statements were left to the garbage collector. */
function close(database: Database, { create, logger }: OpenLogFile): void {
  try {
    if (!create) return;
    database.run(`pragma busy_timeout = ${CLOSE_BUSY_TIMEOUT_MS}`);
    database.query('pragma wal_checkpoint(truncate)').all();
  } catch (error) {
    logger.warn('log.checkpoint_failed', { path: database.filename, error });
  } finally {
    database.close();
  }
}

/** Runs transactions whose loss in a power failure does no harm, because they are repeated, or synced before they count. */
export function withoutSync<T>({ database }: Pick<LogFile, 'database'>, work: () => T): T {
  database.run('pragma synchronous = normal');
  try {
    return work();
  } finally {
    database.run('pragma synchronous = full');
  }
}
