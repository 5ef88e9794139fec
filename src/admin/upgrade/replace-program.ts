import { basename } from 'node:path';
import { digestOf } from './released-file.ts';
import type { Desk } from './upgrade-context.ts';
import { keepEarlier, restoreEarlier } from './earlier.ts';
import { writeJournal } from './journal.ts';
import type { PreparedUpgrade } from './prepare.ts';
import { putInPlace } from './link-over.ts';
import { asRefusal, UpgradeError } from './upgrade-error.ts';

/**
 * Keeps the old executable beside, and puts the new one in its place, in one step, which is written down before it is taken.
 *
 * @throws UpgradeError where nothing was changed
 */
export async function replaceProgram(prepared: PreparedUpgrade, { place, say }: Desk): Promise<void> {
  const { program, journal } = prepared;
  const { from, to } = journal;
  try {
    // It lay there while it was tried and the data was backed up.
    if ((await digestOf(program)) !== to.sha256)
      throw new UpgradeError(`${program} was changed after it was verified.`);
    await keepEarlier(place);
    await putInPlace(place.program, place.previous);
    await writeJournal(place, journal);
    await putInPlace(program, place.program);
  } catch (error) {
    if ((await digestOf(place.program)) === to.sha256) throw error;
    await restoreEarlier(place);
    const refusal = asRefusal(error, place.program);
    if (!(refusal instanceof UpgradeError)) throw refusal;
    throw new UpgradeError(`${refusal.message} Nothing was changed, but for the backup.`, { cause: error });
  }
  // What it was made of has had its day, whatever becomes of the service.
  prepared[Symbol.dispose]();
  await say(`put ${to.version} in place as ${place.program}; ${from.version} stays as ${basename(place.previous)}`);
}
