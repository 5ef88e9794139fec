import type { Database } from 'bun:sqlite';
import { createLog } from './create-log.ts';
import { openDatabase } from './database.ts';
import { asStoreError, isDamage } from './fault.ts';
import { type Migration, migrate } from './migrate.ts';
import { quarantineFile } from './open-or-replace.ts';

/**
 * Opens a file beside the logs, and creates it if missing: what a power failure takes of it is no loss. A damaged one is
 * set aside, and a new one is opened.
 *
 * @throws StoreError
 */
export function openSideFile(path: string, nowMs: number, migrations: readonly Migration[]): Database {
  try {
    return openExisting(path, nowMs, migrations);
  } catch (error) {
    if (!isDamage(error)) throw error;
    quarantineFile(path, nowMs, null);
    return openExisting(path, nowMs, migrations);
  }
}

function openExisting(path: string, nowMs: number, migrations: readonly Migration[]): Database {
  createLog(path, nowMs, migrations);
  const database = openDatabase(path);
  try {
    database.run('pragma synchronous = normal');
    migrate(database, { nowMs, mayUpgrade: true, backUp: () => {}, migrations });
  } catch (error) {
    database.close();
    throw asStoreError(path, error);
  }
  return database;
}
