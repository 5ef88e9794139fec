import type { Knowledge } from '#src/core/knowledge/index.ts';
import { COLUMNS, extractFeatures, STACKED_START } from '#src/engine/lexical/features.ts';
import { columnNamesHash } from '#src/engine/lexical/model.ts';
import type { SectionName } from '#src/engine/lexical/model-sections.ts';
import { createNgramScores, PATH_GROUP, SUMMED_GROUPS, stackScores } from '#src/engine/lexical/ngram-model.ts';
import type { Row } from '../data/dataset.ts';
import type { FitData } from '../data/fit-data.ts';
import type { Prepared } from '../data/prepare.ts';
import { RECENT } from '../data/recent.ts';
import { deriveTables } from '../data/tables.ts';
import { type BinnedColumns, binColumns } from './binned-columns.ts';
import { boost } from './boosting.ts';
import { BOOSTING_DEFAULTS, type BoostingOptions } from './boosting-options.ts';
import {
  FITS,
  fitLogistic,
  LOGISTIC_DEFAULTS,
  type LogisticFits,
  type LogisticOptions,
  logisticSums,
} from './logistic.ts';
import { collectRows } from './ngram-rows.ts';
import { type BoundOptions, boundSuffixes } from './suffix-bounds.ts';
import { rowWeights } from './weights.ts';

export interface FitOptions {
  /** Constants added to the trees' output: a share of the n-gram model's, and a constant for popular sites. */
  readonly params: { readonly ngramShare: number; readonly popularSite: number };
  /** N-grams are hashed into 2ⁿ weights. */
  readonly ngramBits: number;
  /** The same for the model of paths. */
  readonly pathBits: number;
  readonly logistic: LogisticOptions;
  readonly boosting: BoostingOptions;
  /** Maximum scores of ordinary names under a suffix or platform. */
  readonly bound: BoundOptions;
  /** Weight of phishing since `recentFrom` in the trees, relative to older phishing. */
  readonly recentWeight: number;
  readonly recentFrom: string;
  /** The same in the n-gram models. */
  readonly recentNgramWeight: number;
}

/**
 * Options without a seed, chosen on the folds. For popular sites −4 to −8 are equal; without the n-gram model's own
 * share 1 point less is caught at 0.1 %; held-out parts by source instead of by site cost 8 points.
 */
const FIT_DEFAULTS: FitOptions = {
  params: { ngramShare: 0.25, popularSite: -5 },
  ngramBits: 21,
  pathBits: 19,
  logistic: LOGISTIC_DEFAULTS,
  boosting: BOOSTING_DEFAULTS,
  bound: {
    domains: { warn: 3.4, block: 6.3 },
    rare: { warn: Number.POSITIVE_INFINITY, block: 6.8 },
    users: { warn: 4, block: 7 },
  },
  recentWeight: RECENT.weight,
  recentFrom: RECENT.from,
  recentNgramWeight: 2,
};

/** Returns the default options with a seed. */
export function seededOptions(seed: number): FitOptions {
  return {
    ...FIT_DEFAULTS,
    logistic: { ...FIT_DEFAULTS.logistic, seed },
    boosting: { ...FIT_DEFAULTS.boosting, seed },
  };
}

/**
 * Columns of the trees, those of each row by models and tables that have not seen its site, and the sections of the
 * model file.
 */
export interface Stack {
  readonly columns: BinnedColumns;
  readonly sections: ReadonlyMap<SectionName, ArrayBufferView>;
}

/** Fits the n-gram models, derives the tables and lays out the columns of the trees. */
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
  // The collector does not count the memory of typed arrays, and would keep unused ones until the end.
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

/** Fits the model of whole URLs; returns it with the n-grams of the rows, then of the names. */
function fitWhole(data: Prepared, names: Prepared, options: FitOptions) {
  const rows = [...data.rows, ...names.rows];
  const weights = withRecent(rows, rowWeights(rows), options.recentNgramWeight, options);
  const join = (one: Uint8Array, other: Uint8Array) => Uint8Array.from([...one, ...other]);
  const ngrams = collectRows([...data.urls, ...names.urls], SUMMED_GROUPS);
  const labels = join(data.labels, names.labels);
  const fits = fitLogistic(ngrams, labels, weights, join(data.held, names.held), options.ngramBits, options.logistic);
  return { ngrams, fits };
}

/** Grows the trees and bounds the suffixes. Returns all sections of a model file except the parameters. */
export function fitTrees(
  fitData: FitData,
  stack: Stack,
  knowledge: Knowledge,
  options: FitOptions,
): Map<SectionName, ArrayBufferView> {
  const data = fitData.rows;
  const trees = boost(stack.columns, data.labels, treeWeights(data, options), options.boosting);
  const sections = new Map<SectionName, ArrayBufferView>([
    ...stack.sections,
    ['columnNames', columnNamesHash()],
    ['treeFeatures', trees.features],
    ['treeThresholds', trees.thresholds],
    ['treeValues', trees.values],
  ]);
  return sections.set('suffixBounds', boundSuffixes(sections, fitData, knowledge, options));
}

/** Weighs benign sources as in the n-gram models, but bare hosts by their number; both classes have equal weight. */
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

/** Weights of one byte, and the value of each of the 256 codes. */
interface Quantised {
  readonly weights: Int8Array;
  readonly codebook: Float32Array;
}

/** Maximum weight; larger ones are rare, and a single n-gram should not decide. */
const MAX_WEIGHT = 2.5;

/**
 * Quantizes the mean of the four fits to one byte per weight. The codes follow a square law, dense near zero, where
 * nearly all weights are.
 */
function quantiseMean(fits: LogisticFits): Quantised {
  const codebook = Float32Array.from(
    { length: 256 },
    (_, i) => Math.sign(i - 128) * ((i - 128) / 127) ** 2 * MAX_WEIGHT,
  );
  const weights = new Int8Array(fits.weights.length / FITS);
  for (let i = 0; i < weights.length; i++) {
    let mean = 0;
    for (let fit = 0; fit < FITS; fit++) mean += (fits.weights[i * FITS + fit] ?? 0) / FITS;
    const code = Math.round(127 * Math.sqrt(Math.min(Math.abs(mean) / MAX_WEIGHT, 1)));
    weights[i] = Math.sign(mean) * code;
  }
  return { weights, codebook };
}

/** Model of paths, which never sees a host. */
interface PathFit {
  readonly fits: LogisticFits;
  /** Score of each row's path by the fit that has not seen the row; 0 for a bare host. */
  readonly scores: Float32Array;
}

interface PathFitOptions {
  /** N-grams are hashed into 2ⁿ weights. */
  readonly bits: number;
  readonly logistic: LogisticOptions;
  /** Returns the weights of the rows with a path. */
  readonly weightsOf: (rows: readonly Row[]) => Float32Array;
}

/** Fits the model of paths to the rows with a path or query. */
function fitPaths(data: Prepared, { bits, logistic, weightsOf }: PathFitOptions): PathFit {
  const chosen = [...data.urls.keys()].filter((row) => data.urls[row]?.path !== '' || data.urls[row]?.query !== '');
  const pick = <Item>(items: ArrayLike<Item>) => chosen.map((row) => items[row] as Item);
  const ngrams = collectRows(pick(data.urls), [PATH_GROUP]);
  const held = Uint8Array.from(pick(data.held));
  const labels = Uint8Array.from(pick(data.labels));
  const fits = fitLogistic(ngrams, labels, weightsOf(pick(data.rows)), held, bits, logistic);
  const scores = new Float32Array(data.urls.length);
  const sum = new Float64Array(1);
  for (const [place, row] of chosen.entries()) {
    logisticSums(fits, ngrams, place, held[place] ?? 0, sum);
    scores[row] = sum[0] ?? 0;
  }
  return { fits, scores };
}
