import { type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from '../settings/setting-source.ts';

/** Paths that a shell passes: standard input and process substitution. */
const SHELL_PATHS = /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/self\/fd\/\d+)$/;

/** Reads as empty (null(4)): the only device with an end. */
const NULL_DEVICE = '/dev/null';

/**
 * Returns what is wrong with a path of which the content is read to its end, as the end of a sentence; null for a
 * regular file, for a pipe that a shell hands over, for `/dev/null`, and for a path without a file. A device may never
 * end, a named pipe may never begin, and a socket cannot be opened.
 */
export function endlessFileProblem(path: string): string | null {
  const found = statIfReachable(path);
  if (found === undefined || found.isFile() || found.isDirectory() || path === NULL_DEVICE) return null;
  if (found.isFIFO() || found.isSocket()) return SHELL_PATHS.test(path) ? null : `is a ${kindOf(found)}; ${REMEDY}`;
  // A user can end the input of a terminal.
  if (SHELL_PATHS.test(path) && process.stdin.isTTY) return null;
  return `is a ${kindOf(found)}; ${REMEDY}`;
}

/** Returns undefined if stat fails; the caller that opens the file reports it. */
function statIfReachable(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const REMEDY = 'expected a file, or /dev/stdin with a pipe';

function kindOf(found: Stats): string {
  return found.isFIFO() ? 'named pipe' : found.isSocket() ? 'socket' : 'device';
}

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

/**
 * The sentence that names an unusable file of the data directory and its remedy.
 *
 * @param what what it holds, in the plural
 * @param why the end of a sentence about the file
 */
export function unusableFile(path: string, what: string, why: string): string {
  return `the ${what} in ${path} cannot be used: the file ${why}; restore it from a backup, or remove it and configure them again`;
}

/** Formats the same for a file that cannot be read, with a remedy for missing permissions. */
export function unreadableFile(path: string, what: string, cause: unknown): string {
  const why = readErrorText(cause);
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code !== 'EACCES' && code !== 'EPERM') return unusableFile(path, what, why);
  return `the ${what} in ${path} cannot be used: the file ${why}; give it to the owner of the data directory: chown --reference=${dirname(path)} ${path}`;
}
