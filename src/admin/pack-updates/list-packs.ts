import { systemClock } from '#src/core/base/clock.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { PackError } from '#src/admin/packs/pack-error.ts';
import type { PackState } from '#src/admin/packs/pack-state.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { boxTime } from './box-time.ts';
import { type PackStanding, standingOf } from '#src/admin/packs/pack-status.ts';
import { openKeptPack, openPacksInForce } from '#src/admin/packs/active-packs.ts';

/** A pack that is kept, and whether it is in force. */
export interface KeptStanding extends PackStanding {
  readonly isInForce: boolean;
}

/** The packs that are in force, and those that could be gone back to, the newest first. Throws SettingsError. */
export async function listPacks(dataDir: string): Promise<KeptStanding[]> {
  const knowledge = openKnowledge();
  const { nowMs } = boxTime(dataDir, systemClock);
  const packs = await openPacksInForce(dataDir, knowledge);
  const { state } = packs;
  const prints = new Set(state.inForce.map(({ print }) => print));
  const before = state.before.flat().filter(({ print }) => !prints.has(print) && prints.add(print));
  const others = await openPacksInForce(dataDir, knowledge, { ...state, inForce: before });
  const listed = (of: typeof packs, isInForce: boolean) => standingOf(of, nowMs).map((one) => ({ ...one, isInForce }));
  return [...listed(packs, true), ...listed(others, false)];
}

/** Throws a PackError where one of the packs of a state, which is to come back, cannot be used. */
export async function requireOpen(
  dataDir: string,
  { inForce, publishers }: PackState,
  knowledge: Knowledge,
): Promise<void> {
  for (const kept of inForce) {
    const publisher = publishers.find(({ fingerprint }) => fingerprint === kept.signer);
    if (publisher?.revoked) {
      throw new PackError('revoked_key', `${kept.name} ${kept.version} would come back, and its key was revoked`);
    }
    await openKeptPack(dataDir, kept, knowledge);
  }
}
