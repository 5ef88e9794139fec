import type { StoreSettings } from '#src/checks/store/settings.ts';
import { onceAborted } from '#src/core/base/timers.ts';
import { IS_EXECUTABLE } from '#src/core/base/version.ts';
import { BackupError } from './backup-format.ts';

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
