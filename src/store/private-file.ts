import { chmodSync, closeSync, openSync } from 'node:fs';

/** Makes a file that only this user can read, or makes one that is there so. SQLite gives its side files the same mode. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}
