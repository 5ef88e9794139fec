import type { Database } from 'bun:sqlite';
import { createLog } from './create-log.ts';
import { openDatabase } from './database.ts';
import { asStoreError, isDamage } from './fault.ts';
import { type Migration, migrate } from './migrate.ts';
import { quarantineFile } from './open-or-replace.ts';

/**
 * Opens a file beside the logs at the latest schema, and creates it if missing.
 *
 * @param prepare called with the open file, which is closed if it throws
 * @throws StoreError
 */
export function openSideFile(
  path: string,
  nowMs: number,
  migrations: readonly Migration[],
  prepare: (database: Database) => void = () => {},
): Database {
  createLog(path, nowMs, migrations);
  const database = openDatabase(path);
  try {
    prepare(database);
    migrate(database, { nowMs, mayUpgrade: true, backUp: () => {}, migrations });
  } catch (error) {
    database.close();
    throw asStoreError(path, error);
  }
  return database;
}

/**
 * Opens such a file by `open`. A damaged one is set aside, and a new one is opened.
 *
 * @param onReplaced called with the new path of the damaged file
 * @throws StoreError
 */
export function openOrSetAside(
  path: string,
  nowMs: number,
  open: () => Database,
  onReplaced: (keptAs: string, error: unknown) => void = () => {},
): Database {
  try {
    return open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    onReplaced(quarantineFile(path, nowMs, null), error);
    return open();
  }
}

/** Opens, or sets aside, such a file of which no loss matters: a power failure may take its latest changes. Throws StoreError. */
export function openExpendableFile(path: string, nowMs: number, migrations: readonly Migration[]): Database {
  return openOrSetAside(path, nowMs, () =>
    openSideFile(path, nowMs, migrations, (database) => void database.run('pragma synchronous = normal')),
  );
}
