import { systemClock } from '#src/base/clock.ts';
import { changeLists, type PreparedLists, prepareLists } from '#src/lists/kept/change-lists.ts';
import { createListGuard, type ListGuard } from '#src/lists/kept/guard.ts';
import type { ListChange, ListChanged } from '#src/lists/kept/list-change.ts';
import { openKnowledge } from './models.ts';
import { readOwnBrandsFile } from './own-brands-file.ts';
import { openPacksInForce, withBrandsOfPacks } from './packs/packs-in-force.ts';

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
