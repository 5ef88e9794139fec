import { systemClock } from '#src/core/base/clock.ts';
import { changeLists, type PreparedLists, prepareLists } from './change-lists.ts';
import { createListGuard, type ListGuard } from '#src/network/lists/stored/guard.ts';
import type { ListChange, ListChanged } from './list-change.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { readOwnBrandsFile } from '#src/app/own-brands-file.ts';
import { openPacksInForce, withBrandsOfPacks } from '#src/admin/packs/active-packs.ts';

/**
 * Changes the lists of a data directory in one step, which a service that runs takes up within two seconds.
 *
 * @param by whose lists these are: `operator`, `feedback`, or `pack` and the name of one.
 * @throws SettingsError that says why nothing was changed.
 */
export async function changeKeptLists(
  dataDir: string,
  by: string,
  changes: readonly ListChange[],
): Promise<readonly ListChanged[]> {
  return await changeLists(await changer(dataDir, by), changes);
}

/** The same, up to the step itself. Throws a SettingsError that says why nothing can be changed. */
export async function prepareKeptLists(
  dataDir: string,
  by: string,
  changes: readonly ListChange[],
): Promise<PreparedLists> {
  return await prepareLists(await changer(dataDir, by), changes);
}

async function changer(dataDir: string, by: string) {
  return { dataDir, by, guard: await openListGuard(dataDir), nowMs: systemClock.now() };
}

/** What keeps an entry from being applied here: by what is known of the web, and by the brands that this box was taught. */
export async function openListGuard(dataDir: string): Promise<ListGuard> {
  const own = readOwnBrandsFile(dataDir);
  const knowledge = await openKnowledge();
  const packs = await openPacksInForce(dataDir, Promise.resolve(knowledge));
  return createListGuard(
    knowledge,
    withBrandsOfPacks(own, packs).flatMap(({ domains }) => domains),
  );
}
