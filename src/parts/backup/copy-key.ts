import { readFileSync, writeFileSync } from 'node:fs';
import type { ConfigFor } from '#src/app/config.ts';
import { systemProblem } from '#src/checks/store/file/fault.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { findInstallation } from '#src/core/base/files/installation.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { type BackupKeySettings, backupKeyPath, backupKeyToMake } from '#src/parts/backup/archive/backup-mac.ts';
import { keyCopiedAt, noteKeyCopy } from '#src/parts/backup/archive/key-copies.ts';
import { applyChange } from '#src/parts/host/installation/apply-change.ts';
import { hasServiceUser, planBackupKey } from '#src/parts/host/installation/plan-backup-key.ts';
import { describeChange, isEffective } from '#src/parts/host/installation/system-change.ts';

/** Returns true if root runs the command on a host with the service, whose key lies outside of its data. */
export function isKeyInstalled(): boolean {
  return process.geteuid?.() === 0 && findInstallation() !== null && hasServiceUser('/');
}

/**
 * Moves the installed service's key of backups out of its data directory; returns a description, or null if nothing was
 * moved.
 */
export async function placeKey({ backup_key_file: named }: BackupKeySettings): Promise<string | null> {
  const change = named === null && isKeyInstalled() ? planBackupKey('/') : null;
  if (change === null || !isEffective(change)) return null;
  await applyChange(change, '/');
  return describeChange(change);
}

/** Moves the key of backups to its place, copies it to a new file if one is named, and prints its path. */
export async function copyKey(
  to: string | undefined,
  { config, resolvePath }: Pick<Invocation<ConfigFor<'backup'>>, 'config' | 'resolvePath'>,
  { stdout, stderr }: Io,
): Promise<ExitCode> {
  await stdout.write((await placeKey(config)) ?? '');
  const key = await backupKeyToMake(config);
  if (key === null) throw new OperationError('file_unwritable', ['backup.key cannot be written in the data directory']);
  const from = backupKeyPath(config);
  if (to !== undefined) {
    try {
      writeFileSync(resolvePath(to), readFileSync(from), { flag: 'wx', mode: 0o600, flush: true });
    } catch (cause) {
      if (systemProblem(cause) !== null) throw cause;
      const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      throw new UsageError(`${to} ${isThere ? 'already exists' : 'cannot be written'}`, { cause });
    }
    try {
      noteKeyCopy(from, key.id, systemClock.now());
    } catch (error) {
      // The folder of a key that the operator named may be root's.
      await stderr.write(`lurecheck: the copy cannot be noted beside ${visibleInTerminal(from)}: ${String(error)}\n`);
    }
  }
  const copiedAt = keyCopiedAt(from, key.id);
  await stdout.write(`${from}: key ${key.id}, ${copiedAt === null ? 'no copy is noted' : `copied on ${copiedAt}`}\n`);
  return 0;
}
