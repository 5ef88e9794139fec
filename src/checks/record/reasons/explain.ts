import type { Contribution, Decision, Decisive } from '#src/engine/fusion/fuse.ts';
import { WAYS } from '#src/engine/reasons/catalogue.ts';
import type { ReasonArgs, ReasonWay } from '#src/engine/reasons/reason.ts';
import { beginningOf, counterfactualOf, entryFor, fillEntry, spokenReason } from '#src/engine/reasons/sentence.ts';
import type { AnalysisDetails, Reason } from '../check-result.ts';

/** The counterfactual of a record. */
export type Counterfactual = Pick<AnalysisDetails, 'counterfactual' | 'counterfactual_reason'>;

/** Returns a reason of a verdict as answers have it, with its English sentence. */
export function explainReason(given: Contribution): Reason {
  const { component, code, weight } = given;
  const { message, args } = spokenReason(given);
  return { component, code, message, args, weight };
}

/**
 * Returns what would change the decision, as answers have it.
 *
 * @param reasons the explained contributions of the verdict, in the same order
 */
export function explainDecisive(
  decisive: Decisive | null,
  contributions: readonly Contribution[],
  reasons: readonly Reason[],
): Counterfactual {
  if (decisive === null) return { counterfactual: null, counterfactual_reason: null };
  const { code, message, args } = reasons[contributions.indexOf(decisive.reason)] ?? explainReason(decisive.reason);
  return {
    counterfactual: counterfactualOf(decisive.decision, message),
    counterfactual_reason: { decision: decisive.decision, code, args },
  };
}

/**
 * Returns details whose counterfactual names the deciding reason as their list of reasons does: the first one for
 * phishing.
 */
export function withSameDecisive<Details extends AnalysisDetails>(details: Details): Details {
  const { counterfactual_reason: decisive, reasons } = details;
  const reason = decisive && reasons.find(({ weight }) => weight > 0);
  if (!reason) return details;
  const counterfactual = counterfactualOf(decisive.decision, reason.message);
  if (reason.args === decisive.args && counterfactual === details.counterfactual) return details;
  return { ...details, counterfactual, counterfactual_reason: { ...decisive, args: reason.args } };
}

/** Beginnings of counterfactuals, by decision. */
const BEGINNINGS = (['allow', 'warn', 'block'] as const).map(
  (decision) => [decision, counterfactualOf(decision, '')] as const,
);

/** Returns the decision in a counterfactual and the sentence of the reason; null for any other text. */
export function readCounterfactual(text: string): { readonly decision: Decision; readonly sentence: string } | null {
  for (const [decision, beginning] of BEGINNINGS) {
    if (text.startsWith(beginning)) return { decision, sentence: text.slice(beginning.length) };
  }
  return null;
}

/**
 * Returns a reason with other `args` and a matching sentence. A truncated sentence is rebuilt.
 *
 * @param change applied to the rest of the text: the beginning of the sentence, or a sentence that is not in the
 * catalogue
 */
export function withOtherArgs(reason: Reason, args: ReasonArgs, change: (text: string) => string): Reason {
  const { code, message } = reason;
  const entry = entryFor(code, reason.args);
  const sentence = entry && fillEntry(entry, reason.args);
  const isWhole = sentence !== undefined && message.endsWith(sentence);
  if (!entry || (!isWhole && args === reason.args)) {
    const changed = change(message);
    return changed === message && args === reason.args ? reason : { ...reason, message: changed, args };
  }
  const before = isWhole ? message.slice(0, message.length - sentence.length) : beginningIn(reason.args);
  const beginning = before && change(before);
  if (beginning === before && args === reason.args) return reason;
  return { ...reason, message: beginning + fillEntry(entry, args), args };
}

/** Returns the other URL that a reason names; empty for a reason about the checked URL. */
export function wayInArgs({ inside, how = 'inside' }: ReasonArgs): readonly ReasonWay[] {
  const known = inside === undefined ? undefined : WAYS.find(([, name]) => name === how);
  return known ? [{ how: known[1], host: String(inside) }] : [];
}

/** Returns how the sentence of a reason begins; empty for a reason about the checked URL. */
export function beginningIn(args: ReasonArgs): string {
  return wayInArgs(args).map(beginningOf).join('');
}
