import { isObject } from '#src/core/base/text/is-object.ts';
import type { AnalysisDetails, CheckResult, CounterfactualReason, Reason } from './check-result.ts';
import { readCounterfactual } from './reasons/explain.ts';
import { argsInSentence } from './reasons/old-sentence.ts';

/**
 * A result as it is stored: the counterfactual reason is derived from its text, and reasons of version 0.1 have no
 * `args`.
 */
export interface StoredResult extends Omit<CheckResult, 'analysis_details'> {
  readonly analysis_details: Omit<AnalysisDetails, 'reasons' | 'counterfactual_reason'> & {
    readonly reasons: readonly (Omit<Reason, 'args'> & Partial<Pick<Reason, 'args'>>)[];
  };
}

/** Returns the stored form of a result. */
export function toStored(result: CheckResult): StoredResult {
  const { counterfactual_reason: _, ...details } = result.analysis_details;
  return { ...result, analysis_details: details };
}

/** Returns the result of a stored form. */
export function fromStored(stored: StoredResult): CheckResult {
  const { analysis_details: details } = stored;
  const reasons = details.reasons.map(({ component, code, message, args, weight }) => ({
    ...{ component, code, message },
    args: isObject(args) ? args : argsInSentence(code, message),
    weight,
  }));
  const counterfactual_reason = decisiveIn(details.counterfactual, reasons);
  return { ...stored, analysis_details: { ...details, reasons, counterfactual_reason } };
}

function decisiveIn(counterfactual: string | null, reasons: readonly Reason[]): CounterfactualReason | null {
  const said = counterfactual === null ? null : readCounterfactual(counterfactual);
  const reason = said && reasons.find(({ message }) => message === said.sentence);
  return reason ? { decision: said.decision, code: reason.code, args: reason.args } : null;
}
