import { join } from 'node:path';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readIfThere, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { unusableFile } from '#src/core/base/files/unusable-file.ts';
import { type ApiKey, readKeys, writeKeys } from './api-key.ts';

/** Where the keys of a data directory are. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'keys.json');
}

/** The keys; none where there is no file. Throws SettingsError where it cannot be read, or holds something else. */
export function readKeyFile(dataDir: string): readonly ApiKey[] {
  const path = keyFileIn(dataDir);
  return readKeyText(readIfThere(path, 'keys'), path);
}

/** The keys in a text; none for null. Throws SettingsError that names `path` for a text that holds something else. */
export function readKeyText(text: string | null, path: string): readonly ApiKey[] {
  if (text === null) return [];
  const keys = readKeys(parseJson(text));
  if (typeof keys === 'string') throw new SettingsError([unusableFile(path, 'keys', `is damaged: ${keys}`)]);
  return keys;
}

/**
 * Changes the keys in one step: whoever reads sees what was or what is. Throws SettingsError as {@link readKeyFile}, and
 * where another command is about to change them.
 */
export function changeKeyFile(dataDir: string, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): void {
  replaceLocked(keyFileIn(dataDir), 'keys', () => writeKeys(change(readKeyFile(dataDir))));
}
