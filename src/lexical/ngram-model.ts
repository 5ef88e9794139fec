import { collectNgrams, createNgrams, NGRAM_FIELDS } from './ngrams.ts';
import type { UrlParts } from './url-parts.ts';

/** One logistic model over hashed n-grams, weights in one byte each. */
export interface NgramModel {
  /** 2ⁿ codes. */
  readonly weights: Int8Array;
  /** The weight of each code, from −128 on. */
  readonly codebook: Float32Array;
}

/** How much an n-gram counts in a field that has n of them: 1/√n, so that a long text does not outweigh a short one. */
export const fieldScale: Float64Array = Float64Array.from({ length: 2048 }, (_, n) => (n === 0 ? 0 : 1 / Math.sqrt(n)));

const scratch = createNgrams();

/** Writes the sum of each field of {@link NGRAM_FIELDS} into `sums`, in log-odds, without any bias. */
export function scoreNgrams(model: NgramModel, parts: UrlParts, sums: Float64Array): void {
  collectNgrams(parts, scratch);
  const { hashes, ends } = scratch;
  const { weights, codebook } = model;
  const mask = weights.length - 1;
  let at = 0;
  for (let field = 0; field < NGRAM_FIELDS.length; field++) {
    const end = ends[field] ?? 0;
    let sum = 0;
    const count = end - at;
    for (; at < end; at++) sum += codebook[(weights[(hashes[at] ?? 0) & mask] ?? 0) + 128] ?? 0;
    sums[field] = sum * (fieldScale[count] ?? 0);
  }
}
