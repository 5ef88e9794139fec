import { readFile } from 'node:fs/promises';
import { SettingsError } from '../settings/settings-error.ts';
import { endlessFileProblem } from './special-file.ts';

/** By the system's code (errno(3)), what keeps a file from being read, as the end of a sentence. */
const OBSTACLES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
};

/**
 * The text of a file that a setting names.
 *
 * @throws SettingsError where it cannot be read, or may never end.
 */
export async function readNamedFile(setting: string, path: string): Promise<string> {
  const problem = endlessFileProblem(path);
  if (problem !== null) throw new SettingsError([namedFileProblem(setting, path, problem)]);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new SettingsError([namedFileProblem(setting, path, obstacleOf(cause))], { cause });
  }
}

/** The sentence that says what is wrong with a file that a setting names. */
export function namedFileProblem(setting: string, path: string, what: string): string {
  return `${setting} is "${path}", which ${what}`;
}

/** What keeps a file from being read, as the end of a sentence. */
export function obstacleOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return OBSTACLES[code] ?? `cannot be read${code === '' ? '' : ` (${code})`}`;
}
