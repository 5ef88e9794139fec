import type { ScoringContext } from '#src/admin/active/scoring-context.ts';
import { type Comparison, compareChecks } from '#src/parts/tuning/models/comparison.ts';
import { createRescorer } from '#src/parts/tuning/rescore/rescore-check.ts';

/**
 * Compares the verdicts before and after an installation on stored checks, latest first.
 *
 * @param pause called after every few milliseconds of work
 */
export async function comparePack(
  { now, next }: { readonly now: ScoringContext; readonly next: ScoringContext },
  entries: Parameters<typeof compareChecks>[1],
  pause: () => Promise<unknown>,
): Promise<Comparison> {
  const [scoreNow, scoreNext] = [createRescorer(now), createRescorer(next)];
  const compare: Parameters<typeof compareChecks>[2] = (result) => {
    const [before, after] = [scoreNow(result), scoreNext(result)];
    return before && after && { now: before.now, other: after.now };
  };
  return await compareChecks([now.models.version, next.models.version], entries, compare, pause);
}
