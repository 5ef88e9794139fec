import { chmodSync, closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';

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
