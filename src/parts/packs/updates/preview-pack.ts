import { type Classifier, openClassifier } from '#src/admin/active/models.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { assessSettings, type VerdictSettings } from '#src/engine/assess/settings.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';
import { openList } from '#src/network/lists/stored/stored-list.ts';
import { withActivePack } from '#src/parts/packs/packs/active-packs.ts';
import type { ScoringContext } from '#src/parts/tuning/rescore/rescore-check.ts';
import type { ReadyPack } from './install-pack.ts';

/** Classifiers before and after an installation. */
export interface PackPreview {
  readonly pack: ReadyPack;
  readonly now: Classifier & ScoringContext;
  readonly next: Classifier & ScoringContext;
}

/**
 * Opens the active classifier beside the future one. Throws an OperationError if the settings are incompatible with one
 * of them.
 */
export async function previewPack(
  config: VerdictSettings & ListSettings & Pick<StoreSettings, 'data_dir'>,
  pack: ReadyPack,
): Promise<PackPreview> {
  const { data_dir: dataDir } = config;
  const lists = await openLists(config);
  const stored = pack.lists
    ? await Promise.all(pack.lists.next.map((version) => openList(dataDir, version, lists.stored)))
    : lists.stored;
  const [now, next] = [
    await openClassifier(dataDir),
    await openClassifier(dataDir, (packs) => withActivePack(packs, pack)),
  ];
  return {
    pack,
    now: { ...now, lists, settings: assessSettings(config, now.models) },
    next: { ...next, lists: { ...lists, stored }, settings: assessSettings(config, next.models) },
  };
}
