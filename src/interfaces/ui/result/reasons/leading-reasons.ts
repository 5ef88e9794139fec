import type { AnalysisDetails, Reason } from '#src/checks/record/check-result.ts';
import { isImpression } from '#src/checks/record/reasons/caution.ts';
import type { VerdictState } from '../verdict-state.ts';

/** Number of reasons below a verdict. */
const SHOWN = 3;

/**
 * Returns the reasons below a verdict: the strongest that support it, those verifiable in the link first. Reasons
 * against it are only in the details.
 */
export function leadingReasons({ reasons }: Pick<AnalysisDetails, 'reasons'>, state: VerdictState): readonly Reason[] {
  return reasons
    .filter((reason) => speaksFor(state, reason))
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, SHOWN)
    .toSorted((a, b) => Number(isImpression(a.code)) - Number(isImpression(b.code)));
}

function speaksFor(state: VerdictState, { code, weight }: Reason): boolean {
  if (state === 'allow') return true;
  if (state === 'listed') return code.startsWith('lists.');
  return state === 'unseen' ? weight < 0 : weight > 0 || code.startsWith('lists.');
}
