import { FITS, type LogisticFits } from './logistic.ts';

/** Weights of one byte and what each of the 256 codes means. */
export interface Quantised {
  readonly weights: Int8Array;
  readonly codebook: Float32Array;
}

/** Weights beyond this are cut: they are few, and a single n-gram should not decide. */
const LARGEST = 2.5;

/**
 * The mean of the four fits in one byte a weight. The codes lie on a square law, dense near zero where nearly all
 * weights are.
 */
export function quantiseMean(fits: LogisticFits): Quantised {
  const codebook = Float32Array.from({ length: 256 }, (_, i) => Math.sign(i - 128) * ((i - 128) / 127) ** 2 * LARGEST);
  const weights = new Int8Array(fits.weights.length / FITS);
  for (let i = 0; i < weights.length; i++) {
    let mean = 0;
    for (let fit = 0; fit < FITS; fit++) mean += (fits.weights[i * FITS + fit] ?? 0) / FITS;
    const code = Math.round(127 * Math.sqrt(Math.min(Math.abs(mean) / LARGEST, 1)));
    weights[i] = Math.sign(mean) * code;
  }
  return { weights, codebook };
}
