import { openKnowledge } from '#src/admin/active/models.ts';
import {
  changePackState,
  type PackState,
  type Publisher,
  packsBefore,
  readPackState,
  withoutPack,
  withoutPublisher,
  withPublisher,
} from '#src/admin/active/pack-state.ts';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ActPlace, OperatorAct, PreviewedAct } from '#src/admin/audit/act.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { VerdictSettings } from '#src/engine/assess/settings.ts';
import type { PreviewedVerdicts } from '#src/parts/lists/preview-lists.ts';
import type { ReadyPack } from './install-pack.ts';

/** A pack to install. */
interface WantedPack {
  /** Its path, or its bytes. */
  readonly file: string | AsyncIterable<Uint8Array>;
  /** True to accept an older version than the active one. */
  readonly mayBeOlder: boolean;
}

/** An installation, and its settings of verdicts, with which a pack must be compatible. */
interface PackPlace extends ActPlace {
  readonly settings: () => VerdictSettings;
}

/** Activates a pack. `prepare` and `commit` throw PackError if it may not be installed. */
export const INSTALL_PACK = {
  name: 'pack.install',
  scope: 'admin',
  input: null,
  files: ['packs', 'lists'],
  isHeavy: true,
  async prepare({ file, mayBeOlder }, { dataDir, settings }) {
    const { prepareInstall, receivePack } = await import('./install-pack.ts');
    await using upload = typeof file === 'string' ? null : await receivePack(dataDir, file);
    const knowledge = await openKnowledge();
    const order = { dataDir, clock: systemClock, knowledge, settings: settings(), mayBeOlder };
    return await prepareInstall(upload?.path ?? String(file), order);
  },
  audit: ({ installed: { name, version, print } }) => ({ subject: name, detail: { version, print } }),
  async preview(pack, view) {
    const { previewInstall } = await import('./preview-pack.ts');
    return await previewInstall(pack, view);
  },
  commit: (pack) => pack.install(),
  afterCommit: async (pack) => await pack[Symbol.asyncDispose](),
  discard: async (pack) => await pack[Symbol.asyncDispose](),
} as const satisfies OperatorAct<WantedPack, ReadyPack, void, PackPlace> &
  PreviewedAct<ReadyPack, PreviewedVerdicts, PreviewView>;

/** Removes the active pack of a name. */
export const REMOVE_PACK: OperatorAct<string, string, void> = {
  name: 'pack.remove',
  scope: 'admin',
  input: null,
  files: ['packs', 'lists'],
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
export const ROLL_BACK_PACKS = {
  name: 'pack.rollback',
  scope: 'admin',
  input: null,
  files: ['packs', 'lists'],
  async prepare(_, { dataDir }) {
    const before = packsBefore(readPackState(dataDir));
    if (before === null) {
      const problem = 'there is nothing to roll back; see lurecheck pack list';
      throw new OperationError('nothing_to_roll_back', [problem], { clientText: 'there is nothing to roll back' });
    }
    const { requireUsable } = await import('./list-packs.ts');
    await requireUsable(dataDir, before, await openKnowledge());
    return before;
  },
  audit: () => ({ subject: null }),
  async preview(before, view) {
    const { previewPackState } = await import('./preview-pack.ts');
    return await previewPackState(before, view);
  },
  async commit(before, { dataDir }) {
    const { active } = changePackState(dataDir, (state) => {
      if (Bun.deepEquals(packsBefore(state), before)) return before;
      throw new OperationError('changed_meanwhile', ['the packs were changed meanwhile: try again']);
    });
    return active;
  },
  afterCommit: applyLists,
} as const satisfies OperatorAct<null, PackState, PackState['active']> &
  PreviewedAct<PackState, PreviewedVerdicts, PreviewView>;

/** A key that signs packs. */
type TrustedKey = Pick<Publisher, 'fingerprint' | 'key' | 'name'>;

/** Trusts a key, so that packs that it signed can be installed. */
export const TRUST_PUBLISHER: OperatorAct<TrustedKey, TrustedKey, void> = {
  name: 'pack.trust',
  scope: 'admin',
  input: null,
  files: ['packs'],
  prepare: async (key) => key,
  audit: ({ fingerprint, name }) => ({ subject: fingerprint, detail: { name } }),
  async commit(key, { dataDir }) {
    changePackState(dataDir, (state) =>
      withPublisher(state, { ...key, since: new Date(systemClock.now()).toISOString() }),
    );
  },
};

/** Revokes the trusted key of a fingerprint. Packs that it signed stay active. */
export const REVOKE_PUBLISHER: OperatorAct<string, string, void> = {
  name: 'pack.revoke',
  scope: 'admin',
  input: null,
  files: ['packs'],
  prepare: async (fingerprint) => fingerprint,
  audit: (fingerprint) => ({ subject: fingerprint }),
  async commit(fingerprint, { dataDir }) {
    const now = new Date(systemClock.now()).toISOString();
    changePackState(dataDir, (state) => withoutPublisher(state, fingerprint, now));
  },
};

/** Makes the lists those of the active packs. */
async function applyLists(_: unknown, { dataDir }: ActPlace): Promise<void> {
  const { applyPackLists } = await import('./pack-lists.ts');
  await applyPackLists(dataDir, systemClock);
}
