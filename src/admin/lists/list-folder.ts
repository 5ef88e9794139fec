import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { indexFileOf } from '#src/network/lists/stored/index-file.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { listsFolder } from '#src/network/lists/stored/version-file.ts';

/** Age of a lock file from which it is stale, in milliseconds. Locks are held for milliseconds. */
const STALE_LOCK_MS = 60_000;

/** Maximum age of a draft, in milliseconds. */
const MAX_DRAFT_AGE_MS = 24 * 3_600_000;

/**
 * Runs `work` under a lock between processes. Ignores stale locks of killed processes.
 *
 * @throws OperationError if another process holds the lock
 */
export async function withListsLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const path = join(listsFolder(dataDir), '.changing');
  takeLock(path);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function takeLock(path: string): void {
  for (const isLast of [false, true]) {
    try {
      makeLock(path);
      return;
    } catch (cause) {
      if (!isSystemError(cause, 'EEXIST'))
        throw new OperationError('file_unwritable', [`the lists cannot be changed: ${cause}`], { cause });
      if (isLast || !isStale(path)) {
        throw new OperationError('busy', ['another command changes the lists; try again'], { cause });
      }
      rmSync(path, { force: true });
    }
  }
}

/** Creates the lock file with the id of this process, atomically: an empty lock could not be recognised as stale. */
function makeLock(path: string): void {
  const draft = join(dirname(path), `.${randomUUID()}.new`);
  writeFileSync(draft, String(process.pid), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    // A file system without hard links (vfat) takes two steps.
    if (!NO_HARD_LINKS.some((code) => isSystemError(error, code))) throw error;
    writeFileSync(path, String(process.pid), { mode: 0o600, flag: 'wx' });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Errors of link(2) on file systems without hard links. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isStale(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || Date.now() - found.mtimeMs > STALE_LOCK_MS) return true;
  const pid = Number(readFileSync(path, 'utf8'));
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return isSystemError(error, 'ESRCH');
  }
}

/** Removes versions that no rollback reaches, those of `unwanted`, abandoned drafts, and index files of other than active lists. */
export async function removeUnused(dataDir: string, unwanted: ReadonlySet<string> = new Set()): Promise<void> {
  const { lists, before } = await readListState(dataDir);
  const used = new Set([...lists, ...before.flatMap((state) => state.lists)].map(({ file }) => file));
  const folder = listsFolder(dataDir);
  const indexes = new Set(lists.map(({ file }) => indexFileOf(dataDir, file)));
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.index') && !indexes.has(path)) rmSync(path, { force: true });
    const isOld = () =>
      Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > MAX_DRAFT_AGE_MS;
    const isOurs = name.endsWith('.list') || /^\.[\da-f-]+\.new$/.test(name);
    if (isOurs && !used.has(name) && (unwanted.has(name) || isOld())) rmSync(path, { force: true });
  }
}
