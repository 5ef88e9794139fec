import { setImmediate } from 'node:timers/promises';
import { openKnowledge } from '#src/admin/active/models.ts';
import type { PackState } from '#src/admin/active/pack-state.ts';
import type { PreviewView, ScoringContext } from '#src/admin/active/scoring-context.ts';
import { type Classifier, openClassifier } from '#src/app/scoring/classifier.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { assessSettings, type VerdictSettings } from '#src/engine/assess/settings.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';
import { openList } from '#src/network/lists/stored/stored-list.ts';
import { MAX_POPULAR, type PreviewedVerdicts, popularHitsOf } from '#src/parts/lists/preview-lists.ts';
import { openActivePacks, withActivePack } from '#src/parts/packs/packs/active-packs.ts';
import { latestChecks, rescoreAll } from '#src/parts/tuning/rescore/rescore.ts';
import { createPairScorer } from '#src/parts/tuning/rescore/rescore-check.ts';
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

/** Returns the effect of an installation on the latest checks. */
export async function previewInstall(
  pack: ReadyPack,
  { dataDir, settings, log }: PreviewView,
): Promise<PreviewedVerdicts> {
  const both = await previewPack({ ...settings(), data_dir: dataDir }, pack);
  await setImmediate();
  const rescored = await rescoreAll(latestChecks(log), createPairScorer(both.now, both.next));
  if (pack.lists === null) return { rescored, entries: 0 };
  const popular = await popularHitsOf(dataDir, pack.lists, MAX_POPULAR);
  return { rescored, popular, entries: pack.lists.changed.reduce((sum, list) => sum + list.entries, 0) };
}

/** Returns the effect of model, thresholds and brands of other packs on the latest checks, with the lists as they are. */
export async function previewPackState(
  state: PackState,
  { dataDir, scoring, settings, log }: PreviewView,
): Promise<PreviewedVerdicts> {
  const packs = await openActivePacks(dataDir, openKnowledge(), state);
  const next = await openClassifier(dataDir, () => packs);
  const now = scoring();
  const after = { ...next, lists: now.lists, settings: assessSettings(settings(), next.models) };
  return { rescored: await rescoreAll(latestChecks(log), createPairScorer(now, after)), entries: 0 };
}
