import { openKnowledge } from '#src/admin/active/models.ts';
import type { PackState } from '#src/admin/active/pack-state.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { newerTables } from '#src/core/knowledge/registries/newer-tables.ts';
import { openActivePacks, openInstalledPack } from '#src/parts/packs/packs/active-packs.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { type PackStatus, packStatuses } from '#src/parts/packs/packs/pack-status.ts';
import { packTime } from '#src/parts/packs/packs/pack-time.ts';

/** An installed pack, and if it is active. */
export interface ListedPack extends PackStatus {
  readonly isActive: boolean;
  /** Its tables of facts; none if it cannot be read. */
  readonly facts: readonly ListedTable[];
}

/** A table of facts in a pack. */
interface ListedTable {
  readonly table: string;
  /** ISO 8601 day. */
  readonly retrieved: string;
  /** False if a newer one, or one of the same day, of the program or of another pack is in use. */
  readonly in_use: boolean;
}

/** Returns the active packs, and those that can be rolled back to, latest first. Throws OperationError. */
export async function listPacks(dataDir: string): Promise<ListedPack[]> {
  const knowledge = openKnowledge();
  const { nowMs } = packTime(dataDir, systemClock);
  const packs = await openActivePacks(dataDir, knowledge);
  const { state } = packs;
  const prints = new Set(state.active.map(({ print }) => print));
  const before = state.before.flat().filter(({ print }) => !prints.has(print) && prints.add(print));
  const others = await openActivePacks(dataDir, knowledge, { ...state, active: before });
  const inUse = newerTables(packs.tables);
  const factsOf = (of: typeof packs, { name, version }: PackStatus): ListedTable[] => {
    const { contents } = of.packs.find(({ manifest }) => manifest.name === name && manifest.version === version) ?? {};
    return (contents?.tables ?? []).map((one) => ({
      ...{ table: one.name, retrieved: one.retrieved },
      in_use: inUse.includes(one),
    }));
  };
  const listed = (of: typeof packs, isActive: boolean) =>
    packStatuses(of, nowMs).map((one) => ({ ...one, isActive, facts: factsOf(of, one) }));
  return [...listed(packs, true), ...listed(others, false)];
}

/** Returns a pack as programs read it, without its tables of facts. */
export function packRow({ isActive: in_force, isExpired: expired, isRevoked: revoked, facts: _, ...pack }: ListedPack) {
  return { ...pack, in_force, expired, revoked };
}

/** Throws PackError if a pack of a state that is to be restored is unusable. */
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
