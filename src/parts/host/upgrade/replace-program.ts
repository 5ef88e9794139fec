import { existsSync, readFileSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { replaceFile } from '#src/core/base/files/locked-file.ts';
import { isUnfinished, readJournal, writeJournal } from './journal.ts';
import type { PreparedUpgrade } from './prepare.ts';
import { digestOf } from './released-file.ts';
import { asRefusal, type UpgradeContext, UpgradeError, type UpgradePaths } from './upgrade-context.ts';

/**
 * Stores the old executable beside the new one and replaces it atomically, after recording the step.
 *
 * @throws UpgradeError if nothing was changed
 */
export async function replaceProgram(prepared: PreparedUpgrade, { paths, say }: UpgradeContext): Promise<void> {
  const { program, journal } = prepared;
  const { from, to } = journal;
  try {
    // It lay there while it was tried and the data was backed up.
    if ((await digestOf(program)) !== to.sha256)
      throw new UpgradeError(`${program} was changed after it was verified.`);
    await saveEarlier(paths);
    await linkOver(paths.program, paths.previous);
    await writeJournal(paths, journal);
    await linkOver(program, paths.program);
  } catch (error) {
    if ((await digestOf(paths.program)) === to.sha256) throw error;
    await restoreEarlier(paths);
    const refusal = asRefusal(error, paths.program);
    if (!(refusal instanceof UpgradeError)) throw refusal;
    throw new UpgradeError(`${refusal.message} Nothing was changed, except that a backup was created.`, {
      cause: error,
    });
  }
  // Delete the staged files even if the service fails to start.
  prepared[Symbol.dispose]();
  await say(`installed ${to.version} as ${paths.program}; ${from.version} is stored as ${basename(paths.previous)}`);
}

/**
 * Gives a file another name, which replaces the file of that name; its own name stays, too. At every moment the name
 * belongs to one of the two.
 */
export async function linkOver(file: string, name: string): Promise<void> {
  const draft = `${name}.new`;
  await rm(draft, { force: true });
  await link(file, draft);
  await rename(draft, name);
  await using folder = await open(dirname(name), 'r');
  await folder.sync();
}

/**
 * Saves the previous executable, and the journal of the upgrade to the present one, while another upgrade takes their
 * places: if that fails, they are what can be rolled back to.
 */
async function saveEarlier(paths: UpgradePaths): Promise<void> {
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
