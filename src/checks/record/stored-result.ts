import { isObject } from '#src/core/base/text/is-object.ts';
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
    readonly render?: AnalysisDetails['render'];
    readonly reasons: readonly (Omit<Reason, 'args'> & Partial<Pick<Reason, 'args'>>)[];
  };
}

/** Returns the stored form of a result. */
export function toStored(result: CheckResult): StoredResult {
  const { counterfactual_reason: _, via: __, decided_by: ___, render, ...details } = result.analysis_details;
  return { ...result, analysis_details: { ...details, ...(render && { render }) } };
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
