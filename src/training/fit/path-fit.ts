import { PATH_GROUP } from '#src/engine/lexical/ngram-model.ts';
import type { Row } from '../data/dataset.ts';
import type { Prepared } from '../data/prepare.ts';
import { fitLogistic, type LogisticFits, type LogisticOptions, logisticSums } from './logistic.ts';
import { collectRows } from './ngram-rows.ts';

/** The model of paths, which never sees a host. */
export interface PathFit {
  readonly fits: LogisticFits;
  /** What the fit that has not seen a row says of its path; 0 for a bare host. */
  readonly scores: Float32Array;
}

export interface PathFitOptions {
  /** N-grams are hashed into 2ⁿ weights. */
  readonly bits: number;
  readonly logistic: LogisticOptions;
  /** Weighs the rows that have a path among themselves. */
  readonly weightsOf: (rows: readonly Row[]) => Float32Array;
}

/** Fits to the paths and queries of the rows that have any. */
export function fitPaths(data: Prepared, { bits, logistic, weightsOf }: PathFitOptions): PathFit {
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
