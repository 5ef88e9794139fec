import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { endlessFileProblem, namedFileProblem, readErrorText } from '#src/core/base/files/named-file.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import { StoreError } from '../store-error.ts';

const KEY_BYTES = 32;

/**
 * Returns the key in the file that a setting names; null without a name.
 *
 * @throws SettingsError if it cannot be read, or holds something else
 */
export async function readNamedKey(setting: string, path: string | null): Promise<Buffer | null> {
  if (path === null) return null;
  const problem = endlessFileProblem(path);
  if (problem !== null) throw new SettingsError([namedFileProblem(setting, path, problem)]);
  const key = await readFile(path).catch((cause: unknown) => {
    throw new SettingsError([namedFileProblem(setting, path, readErrorText(cause))], { cause });
  });
  if (key.length === KEY_BYTES) return key;
  const what = `holds ${key.length} bytes, but must hold ${KEY_BYTES}: head -c ${KEY_BYTES} /dev/urandom creates them`;
  throw new SettingsError([namedFileProblem(setting, path, what)]);
}

/** Returns the key in a file; null without one. Throws StoreError `damaged` if the file holds something else. */
export function readSecretKey(path: string): Buffer | null {
  if (!existsSync(path)) return null;
  const key = readFileSync(path);
  if (key.length === KEY_BYTES) return key;
  throw new StoreError('damaged', `${path} must hold ${KEY_BYTES} random bytes. Delete it, and a new one is created.`);
}

/**
 * Returns the key in a file, and creates it if it is missing. Of two processes that create one, both read the first.
 */
export function readOrMakeSecretKey(path: string): Buffer {
  const found = readSecretKey(path);
  if (found !== null) return found;
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
    giveToOwner(draft);
    placeFile(draft, path);
  } finally {
    // On a full disk the draft exists and is empty.
    rmSync(draft, { force: true });
  }
  return readOrMakeSecretKey(path);
}

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
