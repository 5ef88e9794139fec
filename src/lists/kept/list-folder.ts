import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '#src/base/settings-error.ts';
import { readListState } from './list-state.ts';
import { listsFolder } from './version-file.ts';

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
  const file = openLock(path);
  try {
    return await work();
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function openLock(path: string): number {
  for (const isLast of [false, true]) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, String(process.pid));
      return file;
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) {
        throw new SettingsError([`the lists cannot be changed: ${cause}`], { cause });
      }
      if (isLast || !isLeftBehind(path)) {
        throw new SettingsError(['another command changes the lists; try again'], { cause });
      }
      rmSync(path, { force: true });
    }
  }
  throw new SettingsError(['another command changes the lists; try again']);
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
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
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
