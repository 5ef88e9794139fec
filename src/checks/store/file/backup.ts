import type { Database } from 'bun:sqlite';
import { chmodSync, closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const DRAFT = '.partial-';

/** Where the copy goes that is made of a file before it is changed from the schema of this version. */
export function upgradeBackup(path: string, version: number): string {
  return `${path}.schema-${version}.backup`;
}

/** Removes what a killed process left of copies of the file at `path`, and, with `finished`, the copies of upgrades too. */
export function removeCopies(path: string, { finished }: { readonly finished: boolean }): void {
  const name = basename(path);
  for (const entry of readdirSync(dirname(path))) {
    if (!entry.startsWith(`${name}.schema-`)) continue;
    if (finished || entry.includes(DRAFT)) rmSync(join(dirname(path), entry), { force: true });
  }
}

/**
 * Writes a compact copy of the database to `path`, beside whatever goes on in it. The copy appears whole or not at all,
 * readable by this user alone, and replaces no file.
 */
export function backUp(database: Database, path: string): void {
  if (existsSync(path)) throw new Error(`${path} exists already`);
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
