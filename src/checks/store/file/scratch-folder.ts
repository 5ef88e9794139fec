import { lstatSync, mkdtempSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import { removeFolder } from '#src/core/base/files/remove-folder.ts';
import { lockFile } from './directory-lock.ts';

/** A folder for temporary files. Disposing of it removes it with all that is in it. */
export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
}

/** Lock that marks a folder in use, unlike one left by a killed process. */
const LOCK = '.lock';

/** Creates a folder for temporary files, whose name begins with a prefix. */
export function makeScratchFolder(prefix: string): ScratchFolder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  const lock = lockFile(join(path, LOCK));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await removeFolder(path);
      lock[Symbol.dispose]();
    },
  };
}

/** Removes folders of this user with a prefix that killed processes have left. Folders that are in use stay. */
export async function removeAbandonedScratch(prefix: string): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(tmpdir(), name);
    try {
      if (!isOwn(path) || isNew(path)) continue;
      using _ = lockFile(join(path, LOCK));
      await removeFolder(path);
    } catch {
      // It is in use, or is not such a folder.
    }
  }
}

/** Returns true for a folder in which no other user can have placed a link. */
function isOwn(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}

/** Its lock may not be held yet, or not be there: a process can be killed before it makes one. */
function isNew(path: string): boolean {
  const { mtimeMs } = statSync(join(path, LOCK), { throwIfNoEntry: false }) ?? statSync(path);
  return Math.abs(Date.now() - mtimeMs) < MINUTE_MS;
}
