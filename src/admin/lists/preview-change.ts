import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { latestChecks } from '#src/parts/tuning/rescore/latest-checks.ts';
import { type Rescored, rescoreAll } from '#src/parts/tuning/rescore/rescore.ts';
import type { PreparedLists } from './change-lists.ts';
import type { ListChanged } from './list-change.ts';
import type { PopularSiteHit } from './popular-site-hits.ts';
import { popularHitsOf, previewLists } from './preview-lists.ts';

/** Maximum number of entries at popular sites that a preview names. */
export const MAX_POPULAR = 10;

/** Effect of a change on the verdicts of the latest public checks. */
export interface PreviewedVerdicts {
  readonly rescored: Rescored;
  /** Number of entries of the changed lists. */
  readonly entries: number;
  /** New entries at popular sites; none by default. */
  readonly popular?: {
    readonly first: readonly Pick<PopularSiteHit, 'entry' | 'site'>[];
    readonly count: number;
  };
  /** The changed lists; none by default. */
  readonly changed?: readonly ListChanged[];
}

/** Returns the effect of prepared lists. */
export async function previewChange(
  lists: PreparedLists,
  { dataDir, scoring, log }: PreviewView,
): Promise<PreviewedVerdicts> {
  const { score } = await previewLists(dataDir, lists, scoring(), systemClock.now());
  const rescored = await rescoreAll(latestChecks(log), score);
  const popular = await popularHitsOf(dataDir, lists, MAX_POPULAR);
  const entries = lists.changed.reduce((sum, list) => sum + list.entries, 0);
  return { rescored, popular, changed: lists.changed, entries };
}
