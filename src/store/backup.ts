import type { Database } from 'bun:sqlite';
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';

/**
 * Writes a compact copy of the database to `path`, beside whatever goes on in it. The copy appears whole or not at all,
 * readable by this user alone, and replaces no file.
 */
export function backUp(database: Database, path: string): void {
  if (existsSync(path)) throw new Error(`${path} exists already`);
  const draft = `${path}.partial-${process.pid}`;
  rmSync(draft, { force: true });
  try {
    // VACUUM INTO takes an empty file, and keeps its mode.
    closeSync(openSync(draft, 'wx', 0o600));
    chmodSync(draft, 0o600);
    database.query('vacuum into ?').run(draft);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
