import type { SharedName } from './shared-sets.ts';
import { type FleetSettings, isFleet, publishToFleet, syncWithFleet } from './shared-state.ts';

/**
 * Changes what the nodes of a fleet share: on what they share now, and for all of them. Without a fleet, only makes the change.
 *
 * @throws OperationError if the database cannot be used, or another node changed the same meanwhile; whatever `change` throws
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
