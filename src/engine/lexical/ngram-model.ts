import { collectNgrams, createNgrams, NGRAM_FIELDS, type Ngrams, SUMMED_FIELDS, startOf } from './ngrams.ts';
import { slotsOf } from './slots.ts';
import type { UrlParts } from './url-parts.ts';

const TOTALS = ['ngrams_host', 'ngrams_behind_host', 'ngrams_all', 'ngrams_path_alone'] as const;

/**
 * Outputs of the n-gram models as columns of the trees: the sum of each field, the sums of host, path and all, and the
 * model of paths.
 */
export const STACKED_COLUMNS: readonly string[] = [...SUMMED_FIELDS.map((field) => `ngrams_${field}`), ...TOTALS];

const FIELD = slotsOf(SUMMED_FIELDS);
const TOTAL = slotsOf(TOTALS);

/** Writes {@link STACKED_COLUMNS} into `out` from `at` on. */
export function stackScores({ sums, pathAlone }: NgramScores, out: Float32Array, at: number): void {
  const of = (field: keyof typeof FIELD) => sums[FIELD[field]] ?? 0;
  out.set(sums, at);
  const host = of('label') + of('subdomain') + of('suffix') + of('shape') + of('cross');
  const behind = of('path') + of('query');
  const totals = at + SUMMED_FIELDS.length;
  out[totals + TOTAL.ngrams_host] = host;
  out[totals + TOTAL.ngrams_behind_host] = behind;
  out[totals + TOTAL.ngrams_all] = host + behind + of('words') + of('pairs');
  out[totals + TOTAL.ngrams_path_alone] = pathAlone;
}

/** Logistic model over hashed n-grams, with one byte per weight. */
export interface NgramModel {
  /** 2ⁿ codes. */
  readonly weights: Int8Array;
  /** Weight of each code, from −128 on. */
  readonly codebook: Float32Array;
}

/** The two models over n-grams. */
export interface NgramModels {
  /** Reads {@link SUMMED_GROUPS}. */
  readonly ngrams: NgramModel;
  /** Reads {@link PATH_GROUP} only, without a host: similarity of a path to those of phishing kits. */
  readonly paths: NgramModel;
}

/** Outputs of the n-gram models for one URL, in log-odds without a bias. */
export interface NgramScores {
  /** Sum of each of {@link SUMMED_FIELDS}. */
  readonly sums: Float64Array;
  /** Output of {@link NgramModels.paths}; 0 for a bare host. */
  pathAlone: number;
}

/** Indices into {@link NGRAM_FIELDS} of fields whose n-grams are counted together. */
export type FieldGroup = readonly number[];

/** Groups of the model of whole URLs: each field separately. */
export const SUMMED_GROUPS: readonly FieldGroup[] = SUMMED_FIELDS.map((_, field) => [field]);

/** Group of the model of paths: all fields together. */
export const PATH_GROUP: FieldGroup = (['path', 'query', 'segments'] as const).map((field) =>
  NGRAM_FIELDS.indexOf(field),
);

/** Weight of an n-gram in a group of n: 1/√n, so that a long text does not outweigh a short one. */
export const groupScale: Float64Array = new Float64Array(2048).map((_, n) => (n === 0 ? 0 : 1 / Math.sqrt(n)));

const scratch = createNgrams();

/** Allocates the scores of one URL. */
export function createNgramScores(): NgramScores {
  return { sums: new Float64Array(SUMMED_GROUPS.length), pathAlone: 0 };
}

/** Scores a URL by both models. */
export function scoreNgrams({ ngrams, paths }: NgramModels, parts: UrlParts, into: NgramScores): void {
  collectNgrams(parts, scratch);
  for (let place = 0; place < SUMMED_GROUPS.length; place++) {
    into.sums[place] = groupSum(ngrams, scratch, SUMMED_GROUPS[place] ?? []);
  }
  into.pathAlone = groupSum(paths, scratch, PATH_GROUP);
}

function groupSum({ weights, codebook }: NgramModel, ngrams: Ngrams, group: FieldGroup): number {
  const { hashes, ends } = ngrams;
  const mask = weights.length - 1;
  let sum = 0;
  let count = 0;
  for (const field of group) {
    const end = ends[field] ?? 0;
    const start = startOf(ngrams, field);
    count += end - start;
    for (let at = start; at < end; at++) sum += codebook[(weights[(hashes[at] ?? 0) & mask] ?? 0) + 128] ?? 0;
  }
  return sum * (groupScale[count] ?? 0);
}
