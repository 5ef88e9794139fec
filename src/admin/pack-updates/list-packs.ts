import { openKnowledge } from '#src/admin/active/models.ts';
import { openActivePacks, openInstalledPack } from '#src/admin/packs/active-packs.ts';
import { PackError } from '#src/admin/packs/pack-error.ts';
import type { PackState } from '#src/admin/packs/pack-state.ts';
import { type PackStatus, packStatuses } from '#src/admin/packs/pack-status.ts';
import { packTime } from '#src/admin/packs/pack-time.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';

/** An installed pack, and if it is active. */
export interface ListedPack extends PackStatus {
  readonly isActive: boolean;
}

/** Returns the active packs, and those that can be rolled back to, latest first. Throws SettingsError. */
export async function listPacks(dataDir: string): Promise<ListedPack[]> {
  const knowledge = openKnowledge();
  const { nowMs } = packTime(dataDir, systemClock);
  const packs = await openActivePacks(dataDir, knowledge);
  const { state } = packs;
  const prints = new Set(state.active.map(({ print }) => print));
  const before = state.before.flat().filter(({ print }) => !prints.has(print) && prints.add(print));
  const others = await openActivePacks(dataDir, knowledge, { ...state, active: before });
  const listed = (of: typeof packs, isActive: boolean) => packStatuses(of, nowMs).map((one) => ({ ...one, isActive }));
  return [...listed(packs, true), ...listed(others, false)];
}

/** Returns a pack as programs read it. */
export function packRow({ isActive: in_force, isExpired: expired, isRevoked: revoked, ...pack }: ListedPack) {
  return { ...pack, in_force, expired, revoked };
}

/** Throws a PackError where one of the packs of a state, which is to come back, cannot be used. */
export async function requireUsable(
  dataDir: string,
  { active, publishers }: PackState,
  knowledge: Knowledge,
): Promise<void> {
  for (const installed of active) {
    const publisher = publishers.find(({ fingerprint }) => fingerprint === installed.signer);
    if (publisher?.revoked) {
      throw new PackError(
        'revoked_key',
        `${installed.name} ${installed.version} cannot become active again: its key was revoked`,
      );
    }
    await openInstalledPack(dataDir, installed, knowledge);
  }
}
