import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockFile } from '#src/checks/store/file/directory-lock.ts';
import { faultOf } from '#src/checks/store/file/fault.ts';
import { BackupError } from './backup-format.ts';

/** A folder for what is not finished yet. Disposing of it removes it with all that is in it. */
interface WorkFolder extends Disposable {
  readonly path: string;
}

/** Lock that marks a folder in use, unlike one left by a killed process. */
const LOCK = '.lock';

/** Names of work folders beside unfinished backups. */
export const WORK_FOLDER = /\.partial-[A-Za-z0-9]{6}$/;

/** Creates a folder beside the file to create. */
export function makeWorkFolder(path: string): WorkFolder {
  const folder = mkdtempSync(`${path}.partial-`);
  return { path: folder, ...lockedFolder(folder) };
}

/**
 * Creates a folder, or takes and empties one that a killed process has left.
 *
 * @throws BackupError if another process uses it
 */
export function takeWorkFolder(path: string): WorkFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    const work = lockedFolder(path);
    for (const left of readdirSync(path)) if (left !== LOCK) rmSync(join(path, left), { recursive: true, force: true });
    return { path, ...work };
  } catch (cause) {
    if (faultOf(cause)?.code !== 'busy') throw cause;
    throw new BackupError(`Another lurecheck process uses ${path}: wait until it ends.`, { cause });
  }
}

/** Removes what killed processes have left of files that were to be made beside the one at `path`; the folders. */
export function removeAbandonedWork(path: string): string[] {
  const folder = dirname(path);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && WORK_FOLDER.test(entry.name))
    .map(({ name }) => join(folder, name))
    .filter(removeIfAbandoned);
}

/** Removes an abandoned folder; returns false if it is in use, unreadable or not the program's. */
function removeIfAbandoned(path: string): boolean {
  try {
    if (!readdirSync(path).includes(LOCK)) return false;
    using _ = lockedFolder(path);
    return true;
  } catch {
    return false;
  }
}

function lockedFolder(path: string): Disposable {
  const lock = lockFile(join(path, LOCK));
  return {
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
      lock[Symbol.dispose]();
    },
  };
}
