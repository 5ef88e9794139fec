import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { replaceFile } from '#src/core/base/files/locked-file.ts';
import { isUnfinished, readJournal } from './journal.ts';
import { linkOver } from './link-over.ts';
import { digestOf } from './released-file.ts';
import type { UpgradePaths } from './upgrade-paths.ts';

/**
 * Saves the previous executable, and the journal of the upgrade to the present one, while another upgrade takes their
 * places: if that fails, they are what can be rolled back to.
 */
export async function saveEarlier(paths: UpgradePaths): Promise<void> {
  const journal = readJournal(paths);
  if (journal?.state !== 'upgraded' || !existsSync(paths.previous)) return;
  if ((await digestOf(paths.previous)) !== journal.from.sha256) return;
  await linkOver(paths.previous, paths.earlier);
  await replaceFile(paths.earlierJournal, readFileSync(paths.journal, 'utf8'));
}

/** Returns true if a failed upgrade has left an earlier executable for a rollback. */
export function hasEarlier(paths: UpgradePaths): boolean {
  return existsSync(paths.earlier) && existsSync(paths.earlierJournal);
}

/**
 * Restores the rollback that existed before the upgrade that failed; without an earlier one, its journal is removed.
 */
export async function restoreEarlier(paths: UpgradePaths): Promise<void> {
  if (!hasEarlier(paths)) {
    const journal = readJournal(paths);
    if (journal !== null && isUnfinished(journal)) await rm(paths.journal, { force: true });
    return;
  }
  await linkOver(paths.earlier, paths.previous);
  await replaceFile(paths.journal, readFileSync(paths.earlierJournal, 'utf8'));
  await dropEarlier(paths);
}

/** Removes what was saved, once the upgrade has a rollback of its own. */
export async function dropEarlier({ earlier, earlierJournal }: UpgradePaths): Promise<void> {
  for (const path of [earlierJournal, earlier]) await rm(path, { force: true });
}
