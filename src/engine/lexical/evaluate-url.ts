import { isSignInForm } from '#src/core/knowledge/words/lure-words.ts';
import type { Target } from '#src/core/url/target.ts';
import { COLUMNS, extractFeatures, STACKED_START } from './features.ts';
import { type HashTable, hashText, lookUp } from './hash-table.ts';
import type { LexicalModel } from './model.ts';
import { createNgramScores, scoreNgrams, stackScores } from './ngram-model.ts';
import { walkTrees } from './trees.ts';
import { partsOf, type UrlParts } from './url-parts.ts';

const STEPS = 20;

/** Returns the amount for a suffix in log-odds, from 0 to 12.7; 0 for a model without bounds. */
export function suffixBound(bounds: HashTable | null, suffix: string): number {
  return bounds === null ? 0 : Math.max(0, lookUp(bounds, hashText(suffix)) - 1) / STEPS;
}

/** Returns the value in the table of bounds of an amount in log-odds. */
export function suffixBoundCode(logOdds: number): number {
  return Math.min(255, 1 + Math.ceil(logOdds * STEPS));
}

/** Output of the model for a URL by column, before calibration. Reused: valid until the next URL is evaluated. */
export interface UrlEvaluation {
  /** Columns that the trees read. */
  readonly row: Float32Array;
  /** Contribution of each column, in log-odds. */
  readonly contributions: Float64Array;
  /** Sum of the trees' roots. */
  roots: number;
  /** Contribution of a popular site, a brand's own or a known tracker; 0 for any other. */
  popular: number;
  /** Contribution of the bound on the suffix or platform; 0 or negative. */
  bound: number;
}

const width = COLUMNS.length;
const scores = createNgramScores();

/** Allocates an evaluation. */
export function createEvaluation(): UrlEvaluation {
  return { row: new Float32Array(width), contributions: new Float64Array(width), roots: 0, popular: 0, bound: 0 };
}

/** Runs the model over a URL's parts. Training measures by the same path that serves answers. */
export function evaluateParts(model: LexicalModel, parts: UrlParts, into: UrlEvaluation): void {
  extractFeatures(parts, model.tables, into.row);
  scoreNgrams(model, parts, scores);
  stackScores(scores, into.row, STACKED_START);
  into.contributions.fill(0);
  walkTrees(model.trees, into.row, into.contributions);
  into.roots = model.trees.roots;
  for (let field = 0; field < scores.sums.length; field++) {
    const column = STACKED_START + field;
    into.contributions[column] = (into.contributions[column] ?? 0) + model.ngramShare * (scores.sums[field] ?? 0);
  }
  const isKnownSite = parts.popularity !== null || parts.isBrandOwn || parts.isTracker;
  into.popular = isKnownSite ? model.popularSite : 0;
  into.bound = -suffixBound(model.suffixBounds, parts.suffix);
}

/** Returns the score before calibration. */
export function totalOf({ contributions, roots, popular, bound }: UrlEvaluation): number {
  let total = roots + popular + bound;
  for (let column = 0; column < contributions.length; column++) total += contributions[column] ?? 0;
  return total;
}

/** Maximum score that the path of a sign-in page adds to that of its host: honest hosts have such pages as well. */
const SIGN_IN_EXCESS = 2;

/**
 * Returns the maximum score of a URL before calibration: infinity unless it is a sign-in page. Feeds contain tens of thousands
 * of these and lists of honest sites nearly none, so that the excess is set by decision, not fitted.
 */
export function maximumTotal(model: LexicalModel, target: Target, scratch: UrlEvaluation): number {
  if (!isSignInForm(target)) return Number.POSITIVE_INFINITY;
  evaluateParts(model, partsOf({ ...target, path: '/', query: '' }, model.knowledge), scratch);
  return totalOf(scratch) + SIGN_IN_EXCESS;
}
