import { stat } from 'node:fs/promises';
import { type Invocation, UsageError } from './command.ts';

/**
 * The folder that an option names; undefined where it was not given.
 *
 * @throws UsageError where there is none.
 */
export async function folderOf(invocation: Invocation, option: string): Promise<string | undefined> {
  const path = invocation.text(option);
  if (path === undefined || (await pathKind(invocation.resolvePath(path))) === 'folder') return path;
  throw new UsageError(`--${option}: folder not found: ${path}`);
}

/**
 * The file that an option names; undefined where it was not given.
 *
 * @throws UsageError where there is none.
 */
export async function fileOf(invocation: Invocation, option: string): Promise<string | undefined> {
  const path = invocation.text(option);
  if (path !== undefined) await requireFile(invocation, option, path);
  return path;
}

/** Throws a UsageError where an option names a file that is not there. */
export async function requireFile(
  { resolvePath }: Pick<Invocation, 'resolvePath'>,
  option: string,
  path: string,
): Promise<void> {
  if ((await pathKind(resolvePath(path))) !== 'file') throw new UsageError(`--${option}: file not found: ${path}`);
}

/** Returns the kind of a path; a pipe or a device counts as a file. */
export async function pathKind(path: string): Promise<'file' | 'folder' | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : found.isDirectory() ? 'folder' : 'file';
}
