import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { isUnusual } from '#src/checks/record/reasons/caution.ts';
import type { Look } from '../elements/look.ts';

/** Returns how the verdict of a logged check looks: what was not seen, or needs care, never looks like a clean page. */
export function lookOfCheck(
  {
    decision,
    malicious_probability,
    caution,
    coverage,
  }: Pick<HistoryItem, 'decision' | 'malicious_probability' | 'caution' | 'coverage'>,
  baseRate: number | null,
): Look {
  if (decision !== 'allow') return decision;
  if (caution ?? (baseRate !== null && isUnusual(malicious_probability, baseRate))) return 'caution';
  return coverage === null || coverage === 'full' ? decision : 'unseen';
}
