import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { replaceFile } from '#src/core/base/files/replace-file.ts';
import { digestOf } from './released-file.ts';
import { isUnfinished, readJournal } from './journal.ts';
import type { UpgradePlace } from './upgrade-paths.ts';
import { putInPlace } from './link-over.ts';

/**
 * Keeps the executable before the present one, and the journal of the upgrade to the present one, while another upgrade takes
 * their places: should that fail, they are the way back again.
 */
export async function keepEarlier(place: UpgradePlace): Promise<void> {
  const journal = readJournal(place);
  if (journal?.state !== 'upgraded' || !existsSync(place.previous)) return;
  if ((await digestOf(place.previous)) !== journal.from.sha256) return;
  await putInPlace(place.previous, place.earlier);
  await replaceFile(place.earlierJournal, readFileSync(place.journal, 'utf8'));
}

/** Whether an upgrade that failed has left an earlier way back. */
export function hasEarlier(place: UpgradePlace): boolean {
  return existsSync(place.earlier) && existsSync(place.earlierJournal);
}

/** Makes the way back what it was before the upgrade that failed; without an earlier one, its journal goes. */
export async function restoreEarlier(place: UpgradePlace): Promise<void> {
  if (!hasEarlier(place)) {
    const journal = readJournal(place);
    if (journal !== null && isUnfinished(journal)) await rm(place.journal, { force: true });
    return;
  }
  await putInPlace(place.earlier, place.previous);
  await replaceFile(place.journal, readFileSync(place.earlierJournal, 'utf8'));
  await dropEarlier(place);
}

/** Removes what was kept, once the upgrade has a way back of its own. */
export async function dropEarlier({ earlier, earlierJournal }: UpgradePlace): Promise<void> {
  for (const path of [earlierJournal, earlier]) await rm(path, { force: true });
}
