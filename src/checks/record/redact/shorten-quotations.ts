import type { CheckResult, Reason } from '../check-result.ts';
import { argsOf, decisiveOf } from '../reasons/args.ts';

/** The longest quotation in a sentence, in UTF-16 code units. */
const MAX_QUOTED = 60;

const LONG_QUOTATION = new RegExp(`“([^“”]{${MAX_QUOTED + 1},})”`, 'g');

/**
 * A masked result whose sentences quote at most {@link MAX_QUOTED} characters of a path or a page. Whoever makes a sentence
 * quotes in full: half of a secret that was cut before it was masked would not be known for one.
 */
export function shortenQuotations(result: CheckResult): CheckResult {
  const details = result.analysis_details;
  const reasons = details.reasons.map(shortenReason);
  const counterfactual = details.counterfactual && shorten(details.counterfactual);
  const isShort = counterfactual === details.counterfactual && reasons.every((one, at) => one === details.reasons[at]);
  if (isShort) return result;
  const counterfactual_reason = decisiveOf(counterfactual, reasons);
  return { ...result, analysis_details: { ...details, reasons, counterfactual, counterfactual_reason } };
}

function shortenReason(reason: Reason): Reason {
  const message = shorten(reason.message);
  return message === reason.message ? reason : { ...reason, message, args: argsOf(reason.code, message) };
}

function shorten(text: string): string {
  if (text.length <= MAX_QUOTED) return text;
  return text.replace(LONG_QUOTATION, (_, quoted: string) => `“${quoted.slice(0, MAX_QUOTED - 1).toWellFormed()}…”`);
}
