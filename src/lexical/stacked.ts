import { NGRAM_FIELDS } from './ngrams.ts';

/** The n-gram model's answers as columns of the trees: each field's sum, then the sums of host, path and all. */
export const STACKED_NAMES: readonly string[] = [
  ...NGRAM_FIELDS.map((field) => `ngrams_${field}`),
  'ngrams_host',
  'ngrams_behind_host',
  'ngrams_all',
];

/** Writes {@link STACKED_NAMES} into `out` from `at` on; `sums` is in the order of {@link NGRAM_FIELDS}. */
export function stackSums(sums: Float64Array, out: Float32Array, at: number): void {
  const [label = 0, subdomain = 0, suffix = 0, shape = 0, path = 0, words = 0, pairs = 0, query = 0, cross = 0] = sums;
  out.set(sums, at);
  const host = label + subdomain + suffix + shape + cross;
  const behind = path + query;
  out[at + NGRAM_FIELDS.length] = host;
  out[at + NGRAM_FIELDS.length + 1] = behind;
  out[at + NGRAM_FIELDS.length + 2] = host + behind + words + pairs;
}
