import type { Knowledge } from '#src/core/knowledge/index.ts';
import { COLUMNS } from './features.ts';
import { type HashTable, hashText } from './hash-table.ts';
import type { FeatureTables } from './host-features.ts';
import { LexicalModelError, type ModelSections, readSections, type SectionName } from './model-sections.ts';
import type { NgramModel, NgramModels } from './ngram-model.ts';
import { createNameGrams, NAME_CLASSES } from './text-shape.ts';
import { prepareTrees, type WalkableTrees } from './trees.ts';

/** Map from scores to log-odds relative to the base rate: offset + slope × score + curve × score². */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
  readonly curve: number;
}

/** Share of the slope below which the map does not fall; beyond that score it continues straight, so that it never turns. */
const LEAST_SHARE = 0.25;

/** Returns the log-odds of a score relative to the base rate. Strictly increasing if the slope is positive. */
export function calibratedLogOdds({ slope, offset, curve }: Calibration, score: number): number {
  if (curve === 0) return slope * score + offset;
  const turn = ((LEAST_SHARE - 1) * slope) / (2 * curve);
  const bent = curve > 0 ? Math.max(score, turn) : Math.min(score, turn);
  return offset + bent * (slope + curve * bent) + (score - bent) * LEAST_SHARE * slope;
}

/** Trained model of the spelling of URLs, as views over the bytes of `lexical.bin`. */
export interface LexicalModel extends NgramModels, Calibration {
  /** Version in answers: the checksum of the file. */
  readonly version: string;
  /** Facts that the model was trained with. */
  readonly knowledge: Knowledge;
  readonly tables: FeatureTables;
  readonly trees: WalkableTrees;
  /**
   * Amount subtracted from the score of every URL under a suffix or platform, so that none is suspicious by that alone:
   * 1 + 20 × log-odds. Null in a model fitted without bounds.
   */
  readonly suffixBounds: HashTable | null;
  /** Added to the trees' output for a popular site, in log-odds; negative. */
  readonly popularSite: number;
  /** Share of the n-gram model's output that is added to the trees' output. */
  readonly ngramShare: number;
}

/** Parameters of a model file, in the order in which they are stored. */
export interface ModelParams extends Calibration {
  readonly depth: number;
  readonly popularSite: number;
  readonly ngramShare: number;
}

/** Returns the content of the section `params`. */
export function packParams({ depth, popularSite, ngramShare, slope, offset, curve }: ModelParams): Float64Array {
  return Float64Array.of(depth, popularSite, ngramShare, slope, offset, curve);
}

/** Returns the hash of the column names; a program with other columns must not use the trees. */
export function columnNamesHash(): Uint32Array {
  return Uint32Array.of(hashText(COLUMNS.join()));
}

/** Opens a model file without copying or parsing it. Throws {@link LexicalModelError} if it cannot be used. */
export function loadLexicalModel(
  file: Uint8Array | ArrayBuffer,
  knowledge: Knowledge,
  isTrusted = false,
): LexicalModel {
  const sections = readSections(file, isTrusted);
  // Earlier versions wrote no curve.
  const [depth = 0, popularSite = 0, ngramShare = 0, slope = 0, offset = 0, curve = 0] = sections.float64('params');
  if (sections.uint32('columnNames')[0] !== columnNamesHash()[0]) {
    throw new LexicalModelError('the model was trained for features of another version; train it again');
  }
  return {
    version: sections.fingerprint,
    knowledge,
    ngrams: readNgrams(sections, 'ngramWeights', 'ngramCodebook'),
    paths: readNgrams(sections, 'pathWeights', 'pathCodebook'),
    tables: readTables(sections),
    trees: readTrees(sections, depth),
    suffixBounds: sections.has('suffixBounds') ? readTable(sections, 'suffixKeys', 'suffixBounds') : null,
    popularSite,
    ngramShare,
    slope,
    offset,
    curve,
  };
}

function readNgrams(sections: ModelSections, weights: SectionName, codebook: SectionName): NgramModel {
  const model = { weights: sections.int8(weights), codebook: sections.float32(codebook) };
  if (!isPowerOfTwo(model.weights.length) || model.codebook.length !== 256) throw inconsistent(weights);
  return model;
}

function readTables(sections: ModelSections): FeatureTables {
  const grams = sections.bytes('nameGrams');
  if (grams.length !== NAME_CLASSES ** 3) throw inconsistent('name trigrams');
  return {
    suffixPrior: readTable(sections, 'suffixKeys', 'suffixPriors'),
    suffixCount: readTable(sections, 'suffixKeys', 'suffixCounts'),
    popularLabels: readTable(sections, 'popularLabelKeys', 'popularLabelRanks'),
    words: readTable(sections, 'wordKeys', 'wordValues'),
    nameGrams: createNameGrams(grams),
  };
}

function readTable(sections: ModelSections, keys: SectionName, values: SectionName): HashTable {
  const table = { keys: sections.uint32(keys), values: sections.bytes(values) };
  if (!isPowerOfTwo(table.keys.length) || table.keys.length !== table.values.length) throw inconsistent(keys);
  return table;
}

function readTrees(sections: ModelSections, depth: number): WalkableTrees {
  const features = sections.bytes('treeFeatures');
  const thresholds = sections.float32('treeThresholds');
  const values = sections.float32('treeValues');
  const inner = 2 ** depth - 1;
  const count = features.length / inner;
  const isWhole = Number.isInteger(count) && thresholds.length === count * inner;
  if (!isWhole || values.length !== count * (2 * inner + 1)) throw inconsistent('trees');
  return prepareTrees({ depth, features, thresholds, values });
}

function inconsistent(what: string): LexicalModelError {
  return new LexicalModelError(`the model file's ${what} are inconsistent; train the model again`);
}

function isPowerOfTwo(n: number): boolean {
  return n > 0 && (n & (n - 1)) === 0;
}
