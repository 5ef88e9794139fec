import { Database } from 'bun:sqlite';
import { closeSync, openSync, writeSync } from 'node:fs';
import { PAGE_BYTES } from '#src/checks/store/file/create-log.ts';

/** Breaks the page at the root of an index or a table, as a disk does that loses what it was given. */
export function breakRoot(path: string, name: string): void {
  using database = new Database(path, { readwrite: true });
  database.query('pragma wal_checkpoint(truncate)').all();
  const root = database
    .query<{ rootpage: number }, [string]>('select rootpage from sqlite_schema where name = ?')
    .get(name);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, ((root?.rootpage ?? 0) - 1) * PAGE_BYTES);
  closeSync(file);
}
