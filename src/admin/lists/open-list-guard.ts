import { withBrandsOfPacks } from '#src/admin/active/active-packs.ts';
import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { createListGuard, type ListGuard } from '#src/network/lists/stored/guard.ts';
import { openActivePacks } from '#src/parts/packs/packs/active-packs.ts';

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
