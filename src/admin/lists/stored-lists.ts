import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { openActivePacks, withBrandsOfPacks } from '#src/admin/packs/active-packs.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createListGuard, type ListGuard } from '#src/network/lists/stored/guard.ts';
import { changeLists, type PreparedLists, prepareLists } from './change-lists.ts';
import type { ListChange, ListChanged } from './list-change.ts';

/**
 * Changes the lists of a data directory atomically. A running service reloads them within two seconds.
 *
 * @param by owner of the lists: `operator`, `feedback`, or `pack` and its name
 * @throws SettingsError that says why nothing was changed
 */
export async function changeStoredLists(
  dataDir: string,
  by: string,
  changes: readonly ListChange[],
): Promise<readonly ListChanged[]> {
  return await changeLists(await changer(dataDir, by), changes);
}

/** Prepares such a change without activating it. Throws a SettingsError that says why nothing can be changed. */
export async function prepareStoredLists(
  dataDir: string,
  by: string,
  changes: readonly ListChange[],
): Promise<PreparedLists> {
  return await prepareLists(await changer(dataDir, by), changes);
}

async function changer(dataDir: string, by: string) {
  return { dataDir, by, guard: await openListGuard(dataDir), nowMs: systemClock.now() };
}

/** Opens the guard that quarantines entries which would cover many sites or a configured brand. */
export async function openListGuard(dataDir: string): Promise<ListGuard> {
  const own = readConfiguredBrandsFile(dataDir);
  const knowledge = await openKnowledge();
  const packs = await openActivePacks(dataDir, Promise.resolve(knowledge));
  return createListGuard(
    knowledge,
    withBrandsOfPacks(own, packs).flatMap(({ domains }) => domains),
  );
}
