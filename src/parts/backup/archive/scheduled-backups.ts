import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { daily } from '#src/checks/store/upkeep/daily.ts';
import type { TimeOfDay } from '#src/checks/store/upkeep/time-of-day.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { backupName, removeOldBackups, scheduledBackupsIn } from './backup-folder.ts';

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
  /** Why the last one failed; null if it did not. */
  readonly problem: string | null;
}

/** Disposing of it ends a backup that is under way, which leaves nothing. */
export interface ScheduledBackups extends AsyncDisposable {
  status(): BackupStatus;
}

/** Makes a backup each day, one at once if the last time of day was missed, and removes the oldest ones. */
export function startScheduledBackups(schedule: BackupSchedule): ScheduledBackups {
  const { at, folder, keep, write, clock, logger, everyMs } = schedule;
  const stopping = new AbortController();
  let problem: string | null = null;
  let underWay = Promise.resolve();

  async function backUp(): Promise<void> {
    const path = join(folder, backupName(clock.now()));
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
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
    status: () => ({ newestMs: scheduledBackupsIn(folder)[0]?.madeMs ?? null, problem }),
    async [Symbol.asyncDispose]() {
      timer[Symbol.dispose]();
      stopping.abort();
      await underWay;
    },
  };
}
