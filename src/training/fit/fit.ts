import type { Knowledge } from '#src/core/knowledge/index.ts';
import { COLUMNS, STACKED_START } from '#src/engine/lexical/columns.ts';
import { extractFeatures } from '#src/engine/lexical/features.ts';
import { columnNamesHash } from '#src/engine/lexical/model.ts';
import type { SectionName } from '#src/engine/lexical/model-sections.ts';
import { createNgramScores, SUMMED_GROUPS } from '#src/engine/lexical/ngram-model.ts';
import { stackScores } from '#src/engine/lexical/stacked.ts';
import type { Row } from '../data/dataset.ts';
import type { FitData } from '../data/fit-data.ts';
import type { Prepared } from '../data/prepare.ts';
import { RECENT } from '../data/recent.ts';
import { deriveTables } from '../data/tables.ts';
import { type BinnedColumns, binColumns } from './binned-columns.ts';
import { boost } from './boosting.ts';
import { BOOSTING_DEFAULTS, type BoostingOptions } from './boosting-options.ts';
import { FITS, fitLogistic, LOGISTIC_DEFAULTS, type LogisticOptions, logisticSums } from './logistic.ts';
import { collectRows } from './ngram-rows.ts';
import { fitPaths } from './path-fit.ts';
import { quantiseMean } from './quantise.ts';
import { type BoundOptions, boundSuffixes } from './suffix-bounds.ts';
import { rowWeights } from './weights.ts';

export interface FitOptions {
  /** What is added to the trees' answer: a share of the n-gram model's, and for popular sites a constant. */
  readonly params: { readonly ngramShare: number; readonly popularSite: number };
  /** N-grams are hashed into 2ⁿ weights. */
  readonly ngramBits: number;
  /** The same of the model of paths. */
  readonly pathBits: number;
  readonly logistic: LogisticOptions;
  readonly boosting: BoostingOptions;
  /** How much a suffix or platform may say of an ordinary name. */
  readonly bound: BoundOptions;
  /** How much more phishing since `recentFrom` weighs in the trees. */
  readonly recentWeight: number;
  readonly recentFrom: string;
  /** The same in the n-gram models. */
  readonly recentNgramWeight: number;
}

/**
 * What is fitted unless a seed is given, chosen on the folds. For popular sites −4 to −8 are equal; without the n-gram
 * model's own share 1 point less is caught at 0.1 %; held-out parts by source instead of by site cost 8 points.
 */
const FIT_DEFAULTS: FitOptions = {
  params: { ngramShare: 0.25, popularSite: -5 },
  ngramBits: 21,
  pathBits: 19,
  logistic: LOGISTIC_DEFAULTS,
  boosting: BOOSTING_DEFAULTS,
  bound: { warn: 4.2, block: 6 },
  recentWeight: RECENT.weight,
  recentFrom: RECENT.from,
  recentNgramWeight: 2,
};

/** The defaults with everything random drawn from `seed`. */
export function seededOptions(seed: number): FitOptions {
  return {
    ...FIT_DEFAULTS,
    logistic: { ...FIT_DEFAULTS.logistic, seed },
    boosting: { ...FIT_DEFAULTS.boosting, seed },
  };
}

/** Columns for the trees, each row's from models and tables that have not seen its site, and what of them ships. */
export interface Stack {
  readonly columns: BinnedColumns;
  readonly sections: ReadonlyMap<SectionName, ArrayBufferView>;
}

/** Fits the n-gram models, derives the tables and lays out the columns that the trees are grown on. */
export function buildStack(
  { rows: data, names, popularity }: FitData,
  options: FitOptions,
  log: (line: string) => void,
): Stack {
  const { rows, urls, held } = data;
  const { ngrams, fits } = fitWhole(data, names, options);
  const paths = fitPaths(data, {
    bits: options.pathBits,
    logistic: options.logistic,
    weightsOf: (some) => withRecent(some, rowWeights(some, false), options.recentNgramWeight, options),
  });
  log('fitted the n-gram models');
  // Typed arrays weigh little to the collector, which would keep what is no longer needed until the end.
  Bun.gc(true);
  const { shipped, heldOut, nameGrams } = deriveTables(data, rowWeights(rows), { popularity, names: names.urls }, FITS);
  const width = COLUMNS.length;
  const table = new Float32Array(rows.length * width);
  const scores = createNgramScores();
  const out = new Float32Array(width);
  for (const [row, url] of urls.entries()) {
    const fit = held[row] ?? 0;
    const tables = heldOut[fit];
    if (tables) extractFeatures(url, tables, out);
    logisticSums(fits, ngrams, row, fit, scores.sums);
    scores.pathAlone = paths.scores[row] ?? 0;
    stackScores(scores, out, STACKED_START);
    table.set(out, row * width);
  }
  const columns = binColumns(table, width);
  log(`laid out ${width} columns`);
  const quantised = quantiseMean(fits);
  const quantisedPaths = quantiseMean(paths.fits);
  const sections = new Map<SectionName, ArrayBufferView>([
    ['ngramWeights', quantised.weights],
    ['ngramCodebook', quantised.codebook],
    ['pathWeights', quantisedPaths.weights],
    ['pathCodebook', quantisedPaths.codebook],
    ['nameGrams', nameGrams],
    ['suffixKeys', shipped.suffixPrior.keys],
    ['suffixPriors', shipped.suffixPrior.values],
    ['suffixCounts', shipped.suffixCount.values],
    ['popularLabelKeys', shipped.popularLabels.keys],
    ['popularLabelRanks', shipped.popularLabels.values],
    ['wordKeys', shipped.words.keys],
    ['wordValues', shipped.words.values],
  ]);
  return { columns, sections };
}

/** The model of whole URLs, and the n-grams that it read: of the rows first, then of the names. */
function fitWhole(data: Prepared, names: Prepared, options: FitOptions) {
  const rows = [...data.rows, ...names.rows];
  const weights = withRecent(rows, rowWeights(rows), options.recentNgramWeight, options);
  const join = (one: Uint8Array, other: Uint8Array) => Uint8Array.from([...one, ...other]);
  const ngrams = collectRows([...data.urls, ...names.urls], SUMMED_GROUPS);
  const labels = join(data.labels, names.labels);
  const fits = fitLogistic(ngrams, labels, weights, join(data.held, names.held), options.ngramBits, options.logistic);
  return { ngrams, fits };
}

/** Grows the trees and bounds the suffixes; every part of a model file but its parameters. */
export function fitTrees(
  data: Prepared,
  stack: Stack,
  knowledge: Knowledge,
  options: FitOptions,
): Map<SectionName, ArrayBufferView> {
  const trees = boost(stack.columns, data.labels, treeWeights(data, options), options.boosting);
  const sections = new Map<SectionName, ArrayBufferView>([
    ...stack.sections,
    ['columnNames', columnNamesHash()],
    ['treeFeatures', trees.features],
    ['treeThresholds', trees.thresholds],
    ['treeValues', trees.values],
  ]);
  return sections.set('suffixBounds', boundSuffixes(sections, data, knowledge, options));
}

/** Benign sources as in the n-gram models, but bare hosts as often as they come; both classes weigh the same. */
function treeWeights({ rows }: Prepared, options: FitOptions): Float32Array {
  const weights = withRecent(rows, rowWeights(rows, false), options.recentWeight, options);
  let phishing = 0;
  let benign = 0;
  for (const [index, row] of rows.entries()) {
    if (row.phishing) phishing += weights[index] ?? 0;
    else benign += weights[index] ?? 0;
  }
  return weights.map((weight, index) => (weight * rows.length) / 2 / (rows[index]?.phishing ? phishing : benign));
}

function withRecent(
  rows: readonly Row[],
  weights: Float32Array,
  factor: number,
  { recentFrom }: FitOptions,
): Float32Array {
  return weights.map((weight, index) => {
    const row = rows[index];
    return row?.phishing && row.date >= recentFrom ? weight * factor : weight;
  });
}
