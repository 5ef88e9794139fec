import { dirname } from 'node:path';
import { readErrorText } from './named-file.ts';

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
