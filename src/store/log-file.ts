import type { Database } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import type { Visibility } from '#src/record/check-record.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

/** One of the two logs, open and at the newest schema. */
export interface LogFile extends Disposable {
  readonly visibility: Visibility;
  readonly path: string;
  readonly database: Database;
  readonly db: BunSQLiteDatabase;
}

/** Opens a log. With `create`, makes it where it is missing and brings it to the newest schema. */
export function openLogFile(
  dataDir: string,
  visibility: Visibility,
  options: { readonly create: boolean; readonly nowMs: number },
): LogFile {
  const path = `${dataDir}/${visibility}.sqlite`;
  const database = openDatabase(path, options);
  try {
    migrate(database, { nowMs: options.nowMs, backUp: () => {} });
  } catch (error) {
    database.close();
    throw error;
  }
  return { visibility, path, database, db: drizzle(database), [Symbol.dispose]: () => database.close() };
}
