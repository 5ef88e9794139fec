import { decide, type Thresholds } from '#src/engine/fusion/decide.ts';
import { type Contribution, type Verdict, withMerged } from '#src/engine/fusion/fuse.ts';

/** Reasons that say what a name passes for: on an allowed site they would contradict the verdict. */
const LIKENESSES: ReadonlySet<string> = new Set(['brand.look_alike', 'brand.misspelling', 'brand.other_suffix']);

/**
 * Returns the same verdict with no reason that repeats another or contradicts the decision. A homograph is named once, by the
 * sentence with the brand's domain. A likeness to a brand that is too weak for a warning counts among the other patterns, unless
 * a list decided. The weights still add up.
 */
export function toldOnce(verdict: Verdict, thresholds: Thresholds): Verdict {
  const find = (meant: string) => verdict.contributions.find(({ code }) => code === meant);
  const [homograph, lookAlike] = [find('url.homograph_of_brand'), find('brand.look_alike')];
  const once = homograph && lookAlike ? withMerged(verdict, homograph, lookAlike) : verdict;
  if (decide(once.probability, thresholds) !== 'allow') return once;
  return once.contributions.some(isListed) ? once : withoutLikenesses(once);
}

function withoutLikenesses(verdict: Verdict): Verdict {
  const likenesses = verdict.contributions.filter(({ code }) => LIKENESSES.has(code));
  return likenesses.reduce((held, { code }) => {
    const likeness = held.contributions.find((one) => one.code === code);
    const others = held.contributions.find((one) => one.code === 'url.other_patterns');
    return likeness && others ? withMerged(held, likeness, others) : held;
  }, verdict);
}

function isListed({ component, weight }: Contribution): boolean {
  return component === 'lists' && weight < 0;
}
