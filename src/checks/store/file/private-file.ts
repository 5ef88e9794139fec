import { chmodSync, chownSync, closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a file that only this user can read, or restricts an existing one. SQLite gives its side files the same mode.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/** Renames a finished draft unless another process was first; the draft is removed in both cases. */
export function placeFile(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch {
    // Without hard links, a race between the two calls has to be accepted.
    if (!existsSync(path)) renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives a file that root created to the owner of the folder, who could not read it otherwise. */
export function giveToOwner(path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}
