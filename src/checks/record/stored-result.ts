import { isObject } from '#src/core/base/guard.ts';
import type { AnalysisDetails, CheckResult, CounterfactualReason, Reason } from './check-result.ts';
import { decidingEntry, type Provenance, viaOfGate } from './decided-by.ts';
import { readCounterfactual } from './reasons/explain.ts';
import { argsInSentence } from './reasons/old-sentence.ts';

/**
 * A result as it is stored: the counterfactual reason is derived from its text, how the check came about is in columns of
 * its row, and reasons of version 0.1 have no `args`.
 */
export interface StoredResult extends Omit<CheckResult, 'analysis_details'> {
  readonly analysis_details: Omit<
    AnalysisDetails,
    'reasons' | 'counterfactual_reason' | 'render' | keyof Provenance
  > & {
    /** Absent without a browser. */
    readonly render?: AnalysisDetails['render'] | undefined;
    readonly reasons: readonly (Omit<Reason, 'args'> & Partial<Pick<Reason, 'args'>>)[];
  };
}

/** Members that are not stored. JSON omits them, and copying an object without some members takes several times longer. */
const DERIVED = { counterfactual_reason: undefined, via: undefined, decided_by: undefined };

/** Returns the stored form of a result. */
export function toStored(result: CheckResult): StoredResult {
  const { analysis_details: details } = result;
  return { ...result, analysis_details: { ...details, ...DERIVED, render: details.render ?? undefined } };
}

/**
 * Returns the result of a stored form. What an earlier version did not store about how the check came about is derived from
 * the record.
 */
export function fromStored(stored: StoredResult, { via, decided_by }: Provenance): CheckResult {
  const { analysis_details: details } = stored;
  const reasons = details.reasons.map(({ component, code, message, args, weight }) => ({
    ...{ component, code, message },
    args: isObject(args) ? args : argsInSentence(code, message),
    weight,
  }));
  const counterfactual_reason = decisiveIn(details.counterfactual, reasons);
  const decided = via === null ? decidingEntry(stored.decision, reasons, counterfactual_reason) : null;
  const provenance = {
    via: via ?? viaOfGate(details.gate),
    decided_by: decided_by ?? (decided && { ...decided, source: null }),
  };
  const { render = null } = details;
  return { ...stored, analysis_details: { ...details, reasons, counterfactual_reason, ...provenance, render } };
}

function decisiveIn(counterfactual: string | null, reasons: readonly Reason[]): CounterfactualReason | null {
  const said = counterfactual === null ? null : readCounterfactual(counterfactual);
  const reason = said && reasons.find(({ message }) => message === said.sentence);
  return reason ? { decision: said.decision, code: reason.code, args: reason.args } : null;
}
