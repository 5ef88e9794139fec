import { assessSettings, type JudgementSettings } from '#src/engine/assess/settings.ts';
import { openList } from '#src/network/lists/stored/stored-list.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { type Judging, openJudging } from '#src/admin/active/models.ts';
import type { Today } from '#src/admin/rescore/rescore-check.ts';
import type { ReadyPack } from './install-pack.ts';
import { withPackInForce } from '#src/admin/packs/active-packs.ts';

/** What judges, before and after an installation. */
export interface PackPreview {
  readonly pack: ReadyPack;
  readonly now: Judging & Today;
  readonly next: Judging & Today;
}

/** Opens what judges beside what would. Throws a SettingsError where the settings cannot stand beside one of them. */
export async function previewPack(
  config: JudgementSettings & ListSettings & Pick<StoreSettings, 'data_dir'>,
  pack: ReadyPack,
): Promise<PackPreview> {
  const { data_dir: dataDir } = config;
  const lists = await openLists(config);
  const kept = pack.lists
    ? await Promise.all(pack.lists.next.map((version) => openList(dataDir, version, lists.kept)))
    : lists.kept;
  const [now, next] = [await openJudging(dataDir), await openJudging(dataDir, (packs) => withPackInForce(packs, pack))];
  return {
    pack,
    now: { ...now, lists, settings: assessSettings(config, now.models) },
    next: { ...next, lists: { ...lists, kept }, settings: assessSettings(config, next.models) },
  };
}
