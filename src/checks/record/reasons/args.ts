import type { HopKind } from '#src/engine/fusion/assessment.ts';
import type { Decision } from '#src/engine/fusion/decide.ts';
import type { AnalysisDetails, CheckResult, CounterfactualReason, Reason, ReasonArgs } from '../check-result.ts';
import { matchSentence } from './match-sentence.ts';
import { SENTENCES } from './sentences.ts';

/** Gaps that hold numbers, which a language writes in its own way. */
const COUNTED = new Set('count networks seconds years sites redirects line dead links forms'.split(' '));

const NO_ARGS: ReasonArgs = {};

/**
 * What a reason's sentence names, by names that stay, so that another language can make a sentence of its own: `kind`
 * where the code is said in several, `inside` for the host of a link within the link or of a URL that it leads to, `how` for
 * the way to the latter. Empty for a sentence that is in no list. It is made of the sentence alone: what is masked or cut
 * there is so here.
 */
export function argsOf(code: string, message: string): ReasonArgs {
  for (const [how, pattern] of WAYS) {
    const led = pattern.exec(message);
    if (led) return { ...argsOf(code, led[2] ?? ''), inside: led[1] ?? '', ...(how !== null && { how }) };
  }
  const matched = matchSentence(code, message);
  if (!matched) return NO_ARGS;
  const kind = SENTENCES[matched.place]?.[2];
  const args: Record<string, string | number> = kind === undefined ? {} : { kind };
  for (const [gap, name] of matched.gaps.entries()) args[name] = argOf(name, matched.words[gap] ?? '');
  return args;
}

/** How `assess` begins what it says of a URL inside the checked one (null), and of one to which that leads. */
const WAYS: readonly (readonly [HopKind | null, RegExp])[] = [
  [null, /^The link leads on to (\S+)\. ([\s\S]+)$/],
  ['http', /^The link redirects to (\S+)\. ([\s\S]+)$/],
  ['refresh', /^The page sends visitors on to (\S+)\. ([\s\S]+)$/],
  ['script', /^A script of the page leads to (\S+)\. ([\s\S]+)$/],
  ['frame', /^A frame fills the page with (\S+)\. ([\s\S]+)$/],
  ['link', /^The only link of the page leads to (\S+)\. ([\s\S]+)$/],
];

function argOf(name: string, word: string): string | number {
  return COUNTED.has(name) && /^\d{1,15}$/.test(word) ? Number(word) : word;
}

/** A result without what {@link withArgs} makes of its sentences: so it is kept. */
export interface UnexplainedResult extends Omit<CheckResult, 'analysis_details'> {
  readonly analysis_details: Omit<AnalysisDetails, 'reasons' | 'counterfactual_reason'> & {
    readonly reasons: readonly Omit<Reason, 'args'>[];
  };
}

/** A result with the `args` of its reasons, and in its last place what its counterfactual names. */
export function withArgs(result: UnexplainedResult): CheckResult {
  const details = result.analysis_details;
  const reasons = details.reasons.map(({ component, code, message, weight }) => {
    return { component, code, message, args: argsOf(code, message), weight };
  });
  const counterfactual_reason = decisiveOf(details.counterfactual, reasons);
  return { ...result, analysis_details: { ...details, reasons, counterfactual_reason } };
}

/** What {@link withArgs} was given. */
export function withoutArgs(result: CheckResult): UnexplainedResult {
  const { counterfactual_reason: _, ...details } = result.analysis_details;
  const reasons = details.reasons.map(({ component, code, message, weight }) => ({ component, code, message, weight }));
  return { ...result, analysis_details: { ...details, reasons } };
}

/** What a counterfactual names: the decision without one of these reasons, and that reason. */
export function decisiveOf(counterfactual: string | null, reasons: readonly Reason[]): CounterfactualReason | null {
  const [decision, message] = (counterfactual === null ? null : matchSentence('', counterfactual))?.words ?? [];
  const reason = reasons.find((one) => one.message === message);
  return decision !== undefined && reason
    ? { decision: decision as Decision, code: reason.code, args: reason.args }
    : null;
}
