import { openKnowledge } from '#src/admin/active/models.ts';
import type { ActPlace, OperatorAct } from '#src/admin/audit/act.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import {
  changePackState,
  type PackState,
  packsBefore,
  readPackState,
  withoutPack,
} from '#src/parts/packs/packs/pack-state.ts';
import type { ReadyPack } from './install-pack.ts';
import { requireUsable } from './list-packs.ts';
import { applyPackLists } from './pack-lists.ts';

const OF_PACKS = { scope: 'admin', input: null, files: ['packs', 'lists'] } as const;

/** Activates a pack. `commit` throws PackError if another pack was activated meanwhile. */
export const INSTALL_PACK: OperatorAct<ReadyPack, ReadyPack, void> = {
  name: 'pack.install',
  ...OF_PACKS,
  prepare: async (pack) => pack,
  audit: ({ installed: { name, version, print } }) => ({ subject: name, detail: { version, print } }),
  commit: (pack) => pack.install(),
};

/** Removes the active pack of a name. */
export const REMOVE_PACK: OperatorAct<string, string, void> = {
  name: 'pack.remove',
  ...OF_PACKS,
  async prepare(name, { dataDir }) {
    if (readPackState(dataDir).active.some((pack) => pack.name === name)) return name;
    throw new OperationError('pack_not_found', [`pack not found: "${name}"; see lurecheck pack list`]);
  },
  audit: (name) => ({ subject: name }),
  async commit(name, { dataDir }) {
    changePackState(dataDir, (state) => withoutPack(state, name));
  },
  afterCommit: applyLists,
};

/** Makes the packs active that were before the last change, and returns them. `prepare` throws PackError if one cannot be used. */
export const ROLL_BACK_PACKS: OperatorAct<null, PackState, PackState['active']> = {
  name: 'pack.rollback',
  ...OF_PACKS,
  async prepare(_, { dataDir }) {
    const before = packsBefore(readPackState(dataDir));
    if (before === null)
      throw new OperationError('nothing_to_roll_back', ['there is nothing to roll back; see lurecheck pack list']);
    await requireUsable(dataDir, before, await openKnowledge());
    return before;
  },
  audit: () => ({ subject: null }),
  async commit(before, { dataDir }) {
    const { active } = changePackState(dataDir, (state) => {
      if (Bun.deepEquals(packsBefore(state), before)) return before;
      throw new OperationError('changed_meanwhile', ['the packs were changed meanwhile: try again']);
    });
    return active;
  },
  afterCommit: applyLists,
};

/** Makes the lists those of the active packs. */
async function applyLists(_: unknown, { dataDir }: ActPlace): Promise<void> {
  await applyPackLists(dataDir, systemClock);
}
