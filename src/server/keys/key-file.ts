import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '#src/base/json-shape.ts';
import { SettingsError } from '#src/base/settings-error.ts';
import { type ApiKey, readKeys, writeKeys } from './api-key.ts';

/** Where the keys of a data directory are. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'keys.json');
}

/** The keys; none where there is no file. Throws SettingsError where it cannot be read, or holds something else. */
export function readKeyFile(dataDir: string): readonly ApiKey[] {
  const path = keyFileIn(dataDir);
  const text = readText(path);
  if (text === null) return [];
  const keys = readKeys(parseJson(text));
  if (typeof keys === 'string') throw new SettingsError([`the keys in ${path} cannot be used: ${keys}`]);
  return keys;
}

/**
 * Changes the keys in one step: whoever reads sees what was or what is. Throws SettingsError as {@link readKeyFile}, and
 * where another command is about to change them.
 */
export function changeKeyFile(dataDir: string, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = keyFileIn(dataDir);
  const draft = `${path}.new`;
  const file = openDraft(draft);
  try {
    writeSync(file, writeKeys(change(readKeyFile(dataDir))));
    fsyncSync(file);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Only one can make the draft, so that of two who change the keys neither undoes what the other did. */
function openDraft(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    if (!isSystemError(cause, 'EEXIST')) throw new SettingsError([`the keys cannot be written: ${cause}`], { cause });
    const message = `another command changes the keys; if none does, remove what it left behind: ${path}`;
    throw new SettingsError([message], { cause });
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (isSystemError(cause, 'ENOENT')) return null;
    throw new SettingsError([`the keys in ${path} cannot be read: ${cause}`], { cause });
  }
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
