import { chmodSync, closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';

/** Makes a file that only this user can read, or makes one that is there so. SQLite gives its side files the same mode. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/** Gives a finished draft its name, unless another process was first; the draft is gone in both cases. */
export function placeFile(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch {
    // Some file systems have no links; there the moment between the two calls is a risk that has to be taken.
    if (!existsSync(path)) renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
