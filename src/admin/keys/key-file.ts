import { join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { unusableFile } from '#src/core/base/files/named-file.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { type ApiKey, readKeys, writeKeys } from './api-key.ts';

/** Returns the path of the file of keys. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'keys.json');
}

/** Returns the keys; none without a file. Throws OperationError if it cannot be read or is invalid. */
export function readKeyFile(dataDir: string): readonly ApiKey[] {
  const path = keyFileIn(dataDir);
  return readKeyText(readIfExists(path, 'keys'), path);
}

/** The keys in a text; none for null. Throws OperationError that names `path` for a text that holds something else. */
export function readKeyText(text: string | null, path: string): readonly ApiKey[] {
  if (text === null) return [];
  const keys = readKeys(parseJson(text));
  if (typeof keys === 'string')
    throw new OperationError('file_damaged', [unusableFile(path, 'keys', `is damaged: ${keys}`)]);
  return keys;
}

/** Changes the keys atomically. Throws OperationError as {@link readKeyFile}, and if another command is changing them. */
export function changeKeyFile(dataDir: string, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): void {
  replaceLocked(keyFileIn(dataDir), 'keys', () => writeKeys(change(readKeyFile(dataDir))));
}
