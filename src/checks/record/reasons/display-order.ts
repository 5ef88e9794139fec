import type { Reason } from '../check-result.ts';

/** What a model's summand says of the whole spelling: true, and nothing that a person could look up in the URL. */
const IMPRESSIONS = new Set(['url.words', 'url.name', 'url.path', 'url.query', 'url.subdomain', 'url.suffix']);

/** Summands without words: what the model cannot name. */
const WORDLESS = new Set(['url.other_patterns']);

/** Below this weight, in log-odds, a reason moves so little that it comes first for nobody. */
const WORTH_COMING_FIRST = 0.25;

/**
 * Reasons as a person is told them: what can be checked by looking comes before what the model takes from the whole
 * spelling, each strongest first; what has no words is left out. Reasons in an answer stand by their weight alone.
 */
export function inTellingOrder(reasons: readonly Reason[]): Reason[] {
  return reasons
    .filter(({ code }) => !WORDLESS.has(code))
    .sort((a, b) => rank(a) - rank(b) || Math.abs(b.weight) - Math.abs(a.weight));
}

/** Whether a reason is the model's impression of the spelling, and nothing that can be checked by looking. */
export function isImpression(code: string): boolean {
  return IMPRESSIONS.has(code) || WORDLESS.has(code);
}

function rank({ code, weight }: Reason): number {
  return IMPRESSIONS.has(code) || Math.abs(weight) < WORTH_COMING_FIRST ? 1 : 0;
}
