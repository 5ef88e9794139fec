import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { listsFolder } from '#src/network/lists/stored/version-file.ts';

/** Whoever holds it has it for milliseconds: one as old was left behind, in milliseconds. */
const LEFT_BEHIND_MS = 60_000;

/** What is being prepared is no older, in milliseconds. */
const PREPARING_MS = 24 * 3_600_000;

/**
 * Does what only one process may do at a time. What a killed process left behind keeps nobody away.
 *
 * @throws SettingsError where another one is at it.
 */
export async function underLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
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
        throw new SettingsError([`the lists cannot be changed: ${cause}`], { cause });
      if (isLast || !isLeftBehind(path)) {
        throw new SettingsError(['another command changes the lists; try again'], { cause });
      }
      rmSync(path, { force: true });
    }
  }
}

/** Makes the lock with the number of this process in it, in one step: an empty one would name nobody who may have died. */
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

/** What link(2) says on a file system that has none. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isLeftBehind(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || Date.now() - found.mtimeMs > LEFT_BEHIND_MS) return true;
  const pid = Number(readFileSync(path, 'utf8'));
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return isSystemError(error, 'ESRCH');
  }
}

/** Removes the versions that nothing leads back to: those of `unwanted`, and what was begun long ago and never ended. */
export async function removeUnused(dataDir: string, unwanted: ReadonlySet<string> = new Set()): Promise<void> {
  const { lists, before } = await readListState(dataDir);
  const used = new Set([...lists, ...before.flatMap((state) => state.lists)].map(({ file }) => file));
  const folder = listsFolder(dataDir);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isOld = () => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > PREPARING_MS;
    const isOurs = name.endsWith('.list') || /^\.[\da-f-]+\.new$/.test(name);
    if (isOurs && !used.has(name) && (unwanted.has(name) || isOld())) rmSync(path, { force: true });
  }
}
