import { hostname } from 'node:os';
import { type ApiKey, writeKeys } from '#src/admin/keys/api-key.ts';
import { readKeyText } from '#src/admin/keys/key-file.ts';
import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import type { FleetSettings, SharedName } from '#src/checks/store/settings.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import type { FollowedSets, FollowingTools } from '#src/parts/fleet/shared/follow-shared.ts';
import type { LastSync } from '#src/parts/fleet/shared/last-sync.ts';
import type { FleetPlace } from '#src/parts/fleet/shared/shared-set.ts';
import { checkDatabaseAuthorities } from './database-authorities.ts';

/** Changes the keys of the fleet; once, or again if they change in between. Throws OperationError if they cannot be changed. */
export async function changeSharedKeys(
  config: FleetSettings,
  change: (keys: readonly ApiKey[]) => readonly ApiKey[],
): Promise<void> {
  const { changeShared, onFleet } = await import('#src/parts/fleet/shared/sync-shared.ts');
  const { keys } = await sharedSets();
  const changed = (text: string | null) => writeKeys(change(readKeyText(text, 'the database')));
  await onFleet(await placeOf(config), 'keys', (desk) => changeShared(keys, desk, changed));
}

/** The state that changes start from, by {@link SharedName}. */
type Bases = Readonly<Record<string, LastSync>>;

/** Synchronises shared data between a data directory and the database. Returns their common state. */
export async function syncWithFleet(config: FleetSettings, names: readonly SharedName[]): Promise<Bases> {
  const { readLastSync } = await import('#src/parts/fleet/shared/last-sync.ts');
  const { onFleet, syncShared } = await import('#src/parts/fleet/shared/sync-shared.ts');
  const [place, sets] = [await placeOf(config), await sharedSets()];
  for (const name of names) await onFleet(place, name, (desk) => syncShared(sets[name], desk));
  return readLastSync(config.data_dir);
}

/**
 * Publishes what a command has just changed in a data directory.
 *
 * @param bases what {@link syncWithFleet} returned before the change
 *
 * @throws OperationError if the database cannot be used, or another node changed the same meanwhile
 */
export async function publishToFleet(config: FleetSettings, names: readonly SharedName[], bases: Bases): Promise<void> {
  const { onFleet, syncShared } = await import('#src/parts/fleet/shared/sync-shared.ts');
  const [place, sets] = [await placeOf(config), await sharedSets()];
  for (const name of names) {
    const base = bases[name] ?? null;
    const { aside } = await onFleet(place, name, (desk) => syncShared(sets[name], desk, base));
    if (aside === null) continue;
    throw new OperationError('changed_meanwhile', [
      `another node changed the ${name} meanwhile; your change is in ${aside}: try again`,
    ]);
  }
}

/** Follows what the nodes share, see `followShared`. */
export async function followFleet(
  config: FleetSettings,
  tools: FollowingTools & { readonly databaseAccess: DatabaseAccess },
): Promise<FollowedSets> {
  const { followShared } = await import('#src/parts/fleet/shared/follow-shared.ts');
  return await followShared(Object.values(await sharedSets()), await placeOf(config, tools.databaseAccess), tools);
}

/** Loaded on the nodes of a fleet alone. */
const sharedSets = async () => (await import('./shared-sets.ts')).SHARED_SETS;

async function placeOf(config: FleetSettings, databaseAccess: DatabaseAccess = {}): Promise<FleetPlace> {
  const clientKey = await readClientKey(config);
  if (clientKey === null) throw new SettingsError(['client_key_file is missing']);
  await checkDatabaseAuthorities(config);
  const urls = { public: config.log_database, private: config.log_database_private };
  return { dataDir: config.data_dir, urls, clientKey, changedBy: config.node_name ?? hostname(), ...databaseAccess };
}
