import { basename } from 'node:path';
import { restoreEarlier, saveEarlier } from './earlier.ts';
import { writeJournal } from './journal.ts';
import { linkOver } from './link-over.ts';
import type { PreparedUpgrade } from './prepare.ts';
import { digestOf } from './released-file.ts';
import type { UpgradeContext } from './upgrade-context.ts';
import { asRefusal, UpgradeError } from './upgrade-error.ts';

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
