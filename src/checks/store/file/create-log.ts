import { Database } from 'bun:sqlite';
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { asStoreError, writeFailure } from './fault.ts';
import { type Migration, migrate } from './migrate.ts';
import { makePrivateFile, placeFile } from './secret-key.ts';

/**
 * Creates an empty log of the latest schema if it is missing. The file is built under another name without syncing each
 * step, and appears atomically.
 */
export function createLog(path: string, nowMs: number, migrations: readonly Migration[] | undefined): void {
  if (!existsSync(path)) replaceLog(path, nowMs, migrations, () => {});
}

/** Creates an empty log likewise, and moves the present file away just before: a full disk changes nothing. */
export function replaceLog<T>(
  path: string,
  nowMs: number,
  migrations: readonly Migration[] | undefined,
  moveAway: () => T,
): T {
  try {
    const draft = createDraft(path, nowMs, migrations);
    const moved = moveAway();
    placeFile(draft, path);
    return moved;
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
    // Both must be set before the first table. Incremental auto-vacuum returns purged space to the system.
    database.run(`pragma page_size = ${PAGE_BYTES}`);
    database.run('pragma auto_vacuum = incremental');
    migrate(database, { nowMs, mayUpgrade: false, backUp: () => {}, ...(migrations && { migrations }) });
    // Everything must be in the one file that gets the name.
    database.query('pragma wal_checkpoint(truncate)').all();
  } finally {
    database.close();
  }
  const file = openSync(draft, 'r+');
  fsyncSync(file);
  closeSync(file);
  return draft;
}

/**
 * Page size of a log, in bytes. A fully probed check takes 1.5 KB, and two of them leave a quarter of a 4 KiB page
 * empty: 2.1 KB per check, against 1.7 KB with 8 KiB. Writing costs no more processor time, and 16 KiB saves nothing
 * (`test/bench/log-bytes.ts`).
 */
export const PAGE_BYTES = 8192;

/** Converts bytes to pages of a log. */
export function pagesIn(bytes: number): number {
  return bytes / PAGE_BYTES;
}
