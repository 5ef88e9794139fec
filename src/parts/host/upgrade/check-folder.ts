import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UpgradeError } from './upgrade-error.ts';
import type { UpgradePaths } from './upgrade-paths.ts';

/**
 * Rejects a folder in which another user could replace the verified executable: a link, a folder of a user who may not
 * write beside the executable, or one that others may write to.
 *
 * @throws UpgradeError
 */
export function refuseSharedFolder({ folder, program }: UpgradePaths): void {
  const found = lstatSync(folder);
  const trusted = [0, process.geteuid?.() ?? 0, statSync(dirname(program)).uid];
  if (found.isDirectory() && trusted.includes(found.uid) && (found.mode & 0o022) === 0) return;
  throw new UpgradeError(
    `${folder} is a link, belongs to another user, or is writable by others: remove it. Nothing was changed.`,
  );
}
