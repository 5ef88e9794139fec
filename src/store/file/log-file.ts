import type { Database } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import type { Logger } from '#src/base/logger.ts';
import type { Visibility } from '#src/base/visibility.ts';
import { StoreError } from '../store-error.ts';
import { backUp, removeCopies, upgradeBackup } from './backup.ts';
import { createLog } from './create-log.ts';
import { openDatabase } from './database.ts';
import { keepAside } from './keep-aside.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';

/** Who closes beside a server does not hold up its checks. */
const CLOSE_BUSY_TIMEOUT_MS = 100;

/** One of the two logs, open and at the newest schema. */
export interface LogFile extends Disposable {
  readonly visibility: Visibility;
  readonly path: string;
  readonly database: Database;
  readonly db: BunSQLiteDatabase;
  /**
   * Whether what is open is what lies at the path. A file that was renamed, deleted, emptied or replaced takes commits
   * without complaint, and keeps none of them.
   */
  isInPlace(): boolean;
}

export interface OpenLogFile {
  readonly dataDir: string;
  readonly visibility: Visibility;
  /** Makes a missing file. */
  readonly create: boolean;
  /** Brings an old file up to date, and puts one that is no database aside. Only for who holds the directory's lock. */
  readonly repair: boolean;
  readonly nowMs: number;
  readonly logger: Logger;
  readonly migrations?: readonly Migration[];
}

/** Opens a log and brings it to the newest schema. Throws StoreError as its parts do. */
export function openLogFile(options: OpenLogFile): LogFile {
  const { dataDir, visibility, nowMs } = options;
  const path = `${dataDir}/${visibility}.sqlite`;
  const database = openOrReplace(path, options);
  if (options.repair) removeCopies(path, { finished: false });
  try {
    migrate(database, {
      nowMs,
      mayUpgrade: options.repair,
      backUp: (version) => {
        const copy = upgradeBackup(path, version);
        if (!existsSync(copy)) backUp(database, copy);
      },
      ...(options.migrations && { migrations: options.migrations }),
    });
  } catch (error) {
    database.close();
    throw error;
  }
  const opened = identity(path);
  return {
    visibility,
    path,
    database,
    db: drizzle(database),
    isInPlace: () => identity(path) === opened,
    [Symbol.dispose]: () => close(database, options),
  };
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

function openOrReplace(path: string, options: OpenLogFile): Database {
  const { create, repair, nowMs, logger, migrations } = options;
  if (create) createLog(path, nowMs, migrations);
  try {
    return openDatabase(path);
  } catch (error) {
    const isNoDatabase = error instanceof StoreError && error.code === 'not_a_database';
    if (!isNoDatabase || !repair) throw error;
    logger.error('log.replaced', { path, keptAs: keepAside(path, nowMs), error });
    createLog(path, nowMs, migrations);
    return openDatabase(path);
  }
}
