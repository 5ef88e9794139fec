import type { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import type { Visibility } from '#src/core/base/visibility.ts';
import { holds, logExtentOf } from '../ledger/extent.ts';
import { type Ledger, openLedger, readLedger } from '../ledger/ledger.ts';
import { type Loss, lossOf } from '../ledger/loss.ts';
import { describeLoss, describeLossInPublic } from '../ledger/loss-text.ts';
import { keepNotice, type Notice, noticePlace } from '../ledger/notices.ts';
import { fileStamp } from './quarantine.ts';
import { type OpenFile, openOrReplace } from './open-or-replace.ts';

/** Who closes beside a server does not hold up its checks. */
const CLOSE_BUSY_TIMEOUT_MS = 100;

/** A notice of this very start. */
export interface NewNotice extends Notice {
  /** Whether it stands in a file; there was no room for one, or it is none of a reader's to write. */
  readonly isKept: boolean;
}

/** One of the two logs, open and at the newest schema. */
export interface LogFile extends Disposable {
  readonly visibility: Visibility;
  readonly path: string;
  readonly database: Database;
  readonly db: BunSQLiteDatabase;
  /** Null where the log is only read. */
  readonly ledger: Ledger | null;
  /** What was missing when it was opened; null where nothing was. */
  readonly notice: NewNotice | null;
  /**
   * Whether what is open is what lies at the path. A file that was renamed, deleted, emptied or replaced takes commits
   * without complaint, and keeps none of them.
   */
  isInPlace(): boolean;
}

export interface OpenLogFile extends Omit<OpenFile, 'isExpected'> {
  readonly dataDir: string;
  readonly visibility: Visibility;
}

/** Opens a log, brings it to the newest schema, and holds it against its ledger. Throws StoreError as its parts do. */
export function openLogFile(options: OpenLogFile): LogFile {
  const { dataDir, visibility, create, logger } = options;
  const path = `${dataDir}/${visibility}.sqlite`;
  // Read before the log is: a server beside us continues both, the log first.
  const expected = readLedger(path, logger);
  const { database, seen, foundAs, keptAs } = openOrReplace(
    path,
    { ...options, isExpected: expected !== null },
    (file) => ({
      extent: logExtentOf(file),
      isAsExpected: !expected?.newest || holds(file, expected.newest),
    }),
  );
  const loss = lossOf(expected, { ...seen, foundAs, keptAs });
  const notice = loss && tell(path, loss, keptAs, options);
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
    [Symbol.dispose]() {
      ledger?.[Symbol.dispose]();
      close(database, options);
    },
  };
}

/** Who only reads tells what is missing, and leaves it to be noted by who writes. */
function tell(path: string, loss: Loss, keptAs: string | null, options: OpenLogFile): NewNotice {
  const { visibility, nowMs, create, logger } = options;
  const notice = {
    message: describeLoss(basename(path), loss, keptAs),
    publicMessage: describeLossInPublic(visibility, loss),
  };
  const place = noticePlace(path, fileStamp(nowMs));
  const standing = { ...notice, message: `${notice.message} Remove ${place} once you have seen to it.` };
  const isKept = create && keepNotice(place, standing, { ...loss }, logger);
  return { ...(isKept ? standing : notice), isKept };
}

/** Which file lies at the path, and which write-ahead log beside it, which is open as long as the file is. */
function identity(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return `${file?.size === 0 ? null : file?.ino} ${wal?.ino}`;
}

/** SQLite would empty the write-ahead log by itself, were no statements left to the garbage collector. */
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
