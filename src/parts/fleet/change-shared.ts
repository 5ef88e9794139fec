import type { SharedName } from './shared-sets.ts';
import { type FleetSettings, isFleet, publishToFleet, syncWithFleet } from './shared-state.ts';

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
  const bases = await syncWithFleet(config, names);
  const made = await change();
  await publishToFleet(config, names, bases);
  return made;
}
