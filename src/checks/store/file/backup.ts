import type { Database } from 'bun:sqlite';
import { chmodSync, closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const DRAFT = '.partial-';

/** Returns the path of the copy that is made before a file is upgraded from this schema version. */
export function upgradeBackup(path: string, version: number): string {
  return `${path}.schema-${version}.backup`;
}

/** Removes partial copies that a killed process left of a file, and with `finished` the upgrade copies too. */
export function removeCopies(path: string, { finished }: { readonly finished: boolean }): void {
  const name = basename(path);
  for (const entry of readdirSync(dirname(path))) {
    if (!entry.startsWith(`${name}.schema-`)) continue;
    if (finished || entry.includes(DRAFT)) rmSync(join(dirname(path), entry), { force: true });
  }
}

/**
 * Writes a compact copy of the database to `path`, while it stays in use. The copy appears atomically, is readable only
 * by this user, and replaces no file.
 */
export function backUp(database: Database, path: string): void {
  if (existsSync(path)) throw new Error(`${path} already exists`);
  const draft = `${path}${DRAFT}${process.pid}`;
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
