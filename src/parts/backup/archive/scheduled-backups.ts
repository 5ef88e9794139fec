import { mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { daily, type TimeOfDay } from '#src/checks/store/upkeep/run-every.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { onceAborted } from '#src/core/base/timers.ts';
import { IS_EXECUTABLE } from '#src/core/base/version.ts';
import { BackupError } from './backup-format.ts';

/** Names of scheduled backups: the moment in UTC, so that the order of names is that of time. */
const NAME = /^lurecheck-\d{8}T\d{6}Z\.backup$/;

/** The name of a scheduled backup that is begun now. */
export function backupName(nowMs: number): string {
  return `lurecheck-${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;
}

/** Settings of scheduled backups. */
export interface BackupSettings {
  readonly data_dir: string;
  readonly backup_at: { readonly hour: number; readonly minute: number } | null;
  readonly backup_dir: string | null;
  readonly backup_keep: number;
}

/** Returns the folder of scheduled backups: `backup_dir`, or `backups` in the data directory. */
export function backupFolderOf({ backup_dir, data_dir }: Pick<BackupSettings, 'backup_dir' | 'data_dir'>): string {
  return backup_dir ?? join(data_dir, 'backups');
}

/** A backup that the schedule has made. */
interface ScheduledBackup {
  readonly path: string;
  /** Completion time, in milliseconds since the Unix epoch. */
  readonly madeMs: number;
}

/** Returns the scheduled backups in a folder, latest first; none if it cannot be read. */
export function scheduledBackupsIn(folder: string): ScheduledBackup[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .toSorted()
      .toReversed()
      .map((name) => join(folder, name))
      .flatMap((path) => {
        const found = statSync(path, { throwIfNoEntry: false });
        return found?.isFile() ? [{ path, madeMs: found.mtimeMs }] : [];
      });
  } catch {
    return [];
  }
}

/** Returns why a folder cannot be read, such as a mount that is gone; null if it can, or does not exist yet. */
export function backupFolderProblem(folder: string): string | null {
  try {
    readdirSync(folder);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' ? null : `${folder} cannot be read as a folder${code === null ? '' : ` (${code})`}`;
  }
}

/** Creates the folder of backups. Throws BackupError if it cannot be used. */
export function makeBackupFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const why = backupFolderProblem(folder) ?? `${folder} cannot be created: ${String(cause)}`;
    throw new BackupError(why, { cause });
  }
}

/** Removes all scheduled backups but the latest `keep`; files with other names stay. */
function removeOldBackups(folder: string, keep: number): void {
  for (const { path } of scheduledBackupsIn(folder).slice(keep)) unlinkSync(path);
}

/** Variable of the environment of a backup that the service records itself, or makes by its schedule. */
export const RECORDED_BACKUP = 'RECORDED_BACKUP';

/** Maximum logged length of the command's output, in characters. */
const MAX_LOGGED_OUTPUT = 500;

/** This program: the executable, or the runtime with the source that it runs. */
const OWN_COMMAND = IS_EXECUTABLE ? [process.execPath] : [process.execPath, Bun.main];

/**
 * Runs `lurecheck backup create` in a process of its own, because copying a log blocks the thread that does it.
 *
 * @throws BackupError with what the command said
 */
export async function runBackup(
  path: string,
  { data_dir, backup_key_file }: Pick<StoreSettings, 'data_dir' | 'backup_key_file'>,
  stopping: AbortSignal,
): Promise<void> {
  const key = backup_key_file === null ? [] : ['--backup-key-file', backup_key_file];
  const command = [...OWN_COMMAND, 'backup', 'create', path, '--data-dir', data_dir, ...key];
  const child = Bun.spawn(command, {
    env: { [RECORDED_BACKUP]: '1' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  // It clears away what it has begun.
  onceAborted(stopping, () => child.kill('SIGTERM'));
  const output = await child.stderr.text();
  if ((await child.exited) !== 0)
    throw new BackupError(output.trim().slice(-MAX_LOGGED_OUTPUT) || `ended by ${child.signalCode}`);
}

/** Dependencies of scheduled backups. */
export interface BackupSchedule {
  /** Returns the daily time of backups; null for never. It may change. */
  readonly at: () => TimeOfDay | null;
  readonly folder: string;
  /** Returns the number of backups to retain; at least 1. */
  readonly keep: () => number;
  /** Writes a backup to a file that does not exist. Throws Error with the reason if it cannot. */
  readonly write: (path: string, stopping: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs?: number;
}

/** Status of scheduled backups. */
export interface BackupStatus {
  /** Completion of the latest backup, in milliseconds since the Unix epoch; null if there is none. */
  readonly newestMs: number | null;
  /** Why the last one failed, or their folder cannot be read; null if neither is so. */
  readonly problem: string | null;
}

/**
 * Makes a backup each day, one at once if the last time of day was missed, and removes the oldest ones. Disposing of it
 * ends a backup that is under way, which leaves nothing.
 */
export function startScheduledBackups(schedule: BackupSchedule) {
  const { at, folder, keep, write, clock, logger, everyMs } = schedule;
  const stopping = new AbortController();
  let problem: string | null = null;
  let underWay = Promise.resolve();

  async function backUp(): Promise<void> {
    const path = join(folder, backupName(clock.now()));
    try {
      makeBackupFolder(folder);
      await write(path, stopping.signal);
      problem = null;
      logger.info('backup.done', { path });
      removeOldBackups(folder, keep());
    } catch (error) {
      if (stopping.signal.aborted) return;
      problem = error instanceof Error ? error.message : String(error);
      logger.error('backup.failed', { path, problem });
    }
  }

  const timer = daily({
    at,
    lastMs: scheduledBackupsIn(folder)[0]?.madeMs ?? 0,
    work: () => (underWay = backUp()),
    onFailure: (error) => logger.error('backup.failed', { error }),
    clock,
    ...(everyMs === undefined ? {} : { everyMs }),
  });
  return {
    status: () => ({
      newestMs: scheduledBackupsIn(folder)[0]?.madeMs ?? null,
      problem: problem ?? backupFolderProblem(folder),
    }),
    async [Symbol.asyncDispose]() {
      timer[Symbol.dispose]();
      stopping.abort();
      await underWay;
    },
  };
}
