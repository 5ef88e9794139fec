import { type ApiKey, changeKeyFile } from '#src/admin/keys/api-key.ts';
import { type FleetSettings, isFleet, type SharedName } from '#src/checks/store/settings.ts';
import { PROVIDED } from '../parts.ts';

/**
 * Changes the keys of the data directory or of the fleet; there once, or again if they change in between. Throws OperationError
 * if they cannot be changed.
 */
export async function changeKeys(
  config: FleetSettings,
  change: (keys: readonly ApiKey[]) => readonly ApiKey[],
): Promise<void> {
  if (!isFleet(config)) changeKeyFile(config.data_dir, change);
  else await (await PROVIDED.changeSharedKeys())(config, change);
}

/**
 * Changes data that a fleet shares, based on its current state and for all nodes. Without a fleet, only makes the
 * change.
 *
 * @throws OperationError if the database is unusable, or another node changed the same data meanwhile; any error of
 * `change`
 */
export async function changeInFleet<T>(
  config: FleetSettings,
  names: readonly SharedName[],
  change: () => Promise<T>,
): Promise<T> {
  if (!isFleet(config)) return await change();
  const bases = await (await PROVIDED.syncWithFleet())(config, names);
  const made = await change();
  await (await PROVIDED.publishToFleet())(config, names, bases);
  return made;
}
