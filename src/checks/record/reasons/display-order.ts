import type { Reason } from '../check-result.ts';

/** Features of the model about the whole spelling: true, but not visible in the URL. */
const IMPRESSIONS = new Set(['url.words', 'url.name', 'url.path', 'url.query', 'url.subdomain', 'url.suffix']);

/** Features without a sentence. */
const WORDLESS = new Set(['url.other_patterns']);

/** Minimum weight, in log-odds, of a reason that comes first. */
const MIN_LEADING_WEIGHT = 0.25;

/**
 * Sorts reasons for people: what can be verified in the URL comes before the model's impressions, strongest first;
 * reasons without a sentence are left out. Answers sort reasons by weight alone.
 */
export function inDisplayOrder(reasons: readonly Reason[]): Reason[] {
  return reasons
    .filter(({ code }) => !WORDLESS.has(code))
    .sort((a, b) => rank(a) - rank(b) || Math.abs(b.weight) - Math.abs(a.weight));
}

/** Returns true if a reason is an impression of the model, which cannot be verified in the URL. */
export function isImpression(code: string): boolean {
  return IMPRESSIONS.has(code) || WORDLESS.has(code);
}

function rank({ code, weight }: Reason): number {
  return IMPRESSIONS.has(code) || Math.abs(weight) < MIN_LEADING_WEIGHT ? 1 : 0;
}
