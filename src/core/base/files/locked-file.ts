import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperationError } from '../errors/operation-error.ts';
import { unreadableFile } from './named-file.ts';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

/** Replaces a file of the data directory atomically and durably. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A symbolic link there would be followed.
  await rm(`${path}.new`, { force: true });
  const draft = await open(`${path}.new`, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    await draft.writeFile(content);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.new`, path);
}

/** Another process is changing the file, which takes milliseconds. */
export class FileBusyError extends OperationError {
  constructor(what: string, options?: ErrorOptions) {
    super('busy', [`another process changes the ${what}; try again`], options);
  }
}

/**
 * Replaces a file atomically by the result of `make`: readers see the old or the new content, and no other process
 * changes the file between the read in `make` and the write. The lock of a killed process expires after a minute.
 *
 * @param what the content as messages name it, in the plural
 * @throws OperationError if the file cannot be written; FileBusyError if another process is changing it
 */
export function replaceLocked(path: string, what: string, make: () => string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  const file = openDraft(draft, what);
  try {
    writeSync(file, make());
    fsyncSync(file);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The text of a file; null if there is none. Throws OperationError if it cannot be read. */
export function readIfExists(path: string, what: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (isSystemError(cause, 'ENOENT')) return null;
    throw new OperationError('file_damaged', [unreadableFile(path, what, cause)], { cause });
  }
}

/** Age after which a draft counts as left behind, in milliseconds; a draft normally lives for milliseconds. */
const STALE_LOCK_MS = 60_000;

/** Only one can make the draft, so that of two who change a file neither undoes what the other did. */
function openDraft(path: string, what: string): number {
  for (;;) {
    try {
      return openSync(path, 'wx', 0o600);
    } catch (cause) {
      if (!isSystemError(cause, 'EEXIST'))
        throw new OperationError('file_unwritable', [`the ${what} cannot be written: ${cause}`], { cause });
      if (!isStale(path)) throw new FileBusyError(what, { cause });
      rmSync(path, { force: true });
    }
  }
}

function isStale(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || Math.abs(Date.now() - found.mtimeMs) > STALE_LOCK_MS;
}

/** Returns true if the system refused with this code (errno(3)). */
function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
