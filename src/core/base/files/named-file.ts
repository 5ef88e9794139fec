import { readFile } from 'node:fs/promises';
import { SettingsError } from '../settings/settings-error.ts';
import { endlessFileProblem } from './special-file.ts';

/** Texts of read errors by error code (errno(3)), as the end of a sentence. */
const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
};

/**
 * Reads the text of a file that a setting names.
 *
 * @throws SettingsError if it cannot be read, or may never end.
 */
export async function readNamedFile(setting: string, path: string): Promise<string> {
  const problem = endlessFileProblem(path);
  if (problem !== null) throw new SettingsError([namedFileProblem(setting, path, problem)]);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new SettingsError([namedFileProblem(setting, path, readErrorText(cause))], { cause });
  }
}

/** Formats the problem of a file that a setting names. */
export function namedFileProblem(setting: string, path: string, what: string): string {
  return `${setting} is "${path}", which ${what}`;
}

/** Returns the text of a read error, as the end of a sentence. */
export function readErrorText(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return READ_ERRORS[code] ?? `cannot be read${code === '' ? '' : ` (${code})`}`;
}
