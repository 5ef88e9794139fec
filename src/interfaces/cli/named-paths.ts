import { stat } from 'node:fs/promises';
import { endlessFileProblem } from '#src/core/base/files/named-file.ts';
import { type Invocation, UsageError } from './command.ts';

/**
 * Returns the folder that an option names; undefined if absent.
 *
 * @throws UsageError if there is no such folder
 */
export async function folderOf(invocation: Invocation, option: string): Promise<string | undefined> {
  const path = invocation.text(option);
  if (path === undefined || (await pathKind(invocation.resolvePath(path))) === 'folder') return path;
  throw new UsageError(`--${option}: folder not found: ${path}`);
}

/**
 * Returns the file that an option names; undefined if absent.
 *
 * @throws UsageError if there is no such file
 */
export async function fileOf(invocation: Invocation, option: string): Promise<string | undefined> {
  const path = invocation.text(option);
  if (path !== undefined) await requireFile(invocation, option, path);
  return path;
}

/** Throws UsageError if an option names a file that does not exist, or may never end. */
export async function requireFile(
  { resolvePath }: Pick<Invocation, 'resolvePath'>,
  option: string,
  path: string,
): Promise<void> {
  const place = resolvePath(path);
  if ((await pathKind(place)) !== 'file') throw new UsageError(`--${option}: file not found: ${path}`);
  const problem = endlessFileProblem(place);
  if (problem !== null) throw new UsageError(`--${option}: ${path} ${problem}`);
}

/** Returns the kind of a path; a pipe or a device counts as a file. */
export async function pathKind(path: string): Promise<'file' | 'folder' | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : found.isDirectory() ? 'folder' : 'file';
}
