import { Database } from 'bun:sqlite';
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { asStoreError } from './fault.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';
import { PAGE_BYTES } from './page-size.ts';
import { makePrivateFile, placeFile } from './private-file.ts';
import { writeFailure } from './write-failure.ts';

/**
 * Makes an empty log of the newest schema where there is none. It appears whole or not at all, and reaches the disk in
 * one go: made in place, each of its steps would wait for the disk, which is most of a first start.
 */
export function createLog(path: string, nowMs: number, migrations: readonly Migration[] | undefined): void {
  if (existsSync(path)) return;
  try {
    placeFile(createDraft(path, nowMs, migrations), path);
  } catch (error) {
    throw asStoreError(path, writeFailure(path, error));
  }
}

function createDraft(path: string, nowMs: number, migrations: readonly Migration[] | undefined): string {
  const draft = `${path}.new-${process.pid}`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true });
  makePrivateFile(draft);
  const database = new Database(draft, { readwrite: true, create: false });
  try {
    database.run('pragma synchronous = off');
    // Before the first table, or never, as is the page: what is purged goes back to the system bit by bit.
    database.run(`pragma page_size = ${PAGE_BYTES}`);
    database.run('pragma auto_vacuum = incremental');
    migrate(database, { nowMs, mayUpgrade: false, backUp: () => {}, ...(migrations && { migrations }) });
    // All of it has to be in the one file that gets the name.
    database.query('pragma wal_checkpoint(truncate)').all();
  } finally {
    database.close();
  }
  const file = openSync(draft, 'r+');
  fsyncSync(file);
  closeSync(file);
  return draft;
}
