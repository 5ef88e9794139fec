import { openKnowledge } from '#src/admin/active/models.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import {
  changePackState,
  type PackState,
  packsBefore,
  readPackState,
  withoutPack,
} from '#src/admin/packs/pack-state.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { ReadyPack } from './install-pack.ts';
import { requireUsable } from './list-packs.ts';
import { applyPackLists } from './pack-lists.ts';

/** Activates a pack. Throws PackError if another pack was activated meanwhile. */
export async function activatePack(dataDir: string, actor: Actor, pack: ReadyPack): Promise<void> {
  const { name, version, print } = pack.installed;
  const what = { action: 'pack.install', subject: name, detail: { version, print } };
  await audited(dataDir, actor, what, pack.install);
}

/** Removes the active pack of a name; false if there is none. Throws OperationError. */
export async function removePack(dataDir: string, actor: Actor, name: string): Promise<boolean> {
  if (!readPackState(dataDir).active.some((pack) => pack.name === name)) return false;
  audited(dataDir, actor, { action: 'pack.remove', subject: name }, () =>
    changePackState(dataDir, (state) => withoutPack(state, name)),
  );
  await applyPackLists(dataDir, systemClock);
  return true;
}

/**
 * Makes the packs active that were before the last change. Returns them; null if there is no earlier change.
 *
 * @throws PackError if one of them cannot be used; OperationError
 */
export async function rollBackPacks(dataDir: string, actor: Actor): Promise<PackState['active'] | null> {
  const before = packsBefore(readPackState(dataDir));
  if (before === null) return null;
  await requireUsable(dataDir, before, await openKnowledge());
  const { active } = audited(dataDir, actor, { action: 'pack.rollback', subject: null }, () =>
    changePackState(dataDir, (state) => packsBefore(state) ?? state),
  );
  await applyPackLists(dataDir, systemClock);
  return active;
}
