import { sigmoid } from '#src/core/base/log-odds.ts';
import { groupScale } from '#src/engine/lexical/ngram-model.ts';
import { createRandom, shuffle } from '../data/random.ts';
import type { NgramRows } from './ngram-rows.ts';

/** Number of fits, one per held-out part of the sites. All are in one table, which shares the memory accesses. */
export const FITS = 4;

export interface LogisticOptions {
  readonly epochs: number;
  readonly learningRate: number;
  readonly l2: number;
  readonly seed: number;
}

/** Chosen on the folds: a third of the learning rate catches 2 points less at 1 % by itself, so does more than twice of it. */
export const LOGISTIC_DEFAULTS: LogisticOptions = { epochs: 6, learningRate: 0.12, l2: 1e-3, seed: 1 };

/** Four logistic models over hashed n-grams; fit k has not seen the rows of part k. */
export interface LogisticFits {
  /** 2ⁿ × {@link FITS} weights, the fits of one n-gram side by side. */
  readonly weights: Float32Array;
  readonly biases: Float64Array;
}

/**
 * Fits by stochastic gradient descent with Adagrad steps, one row at a time in an order drawn from the seed. `held` is
 * the part of each row, 0 to {@link FITS} − 1.
 */
export function fitLogistic(
  rows: NgramRows,
  labels: Uint8Array,
  rowWeights: Float32Array,
  held: Uint8Array,
  bits: number,
  options: LogisticOptions = LOGISTIC_DEFAULTS,
): LogisticFits {
  const table = new Float32Array(2 ** bits * CELLS);
  for (let i = 1; i < table.length; i += 2) table[i] = FIRST_SQUARE;
  const biases = new Float64Array(FITS);
  const state: DescentState = {
    rows,
    options,
    table,
    mask: 2 ** bits - 1,
    biases,
    biasSquares: new Float64Array(FITS).fill(FIRST_SQUARE),
    sums: new Float64Array(FITS),
    errors: new Float64Array(FITS),
  };
  const order = new Uint32Array(labels.length).map((_, index) => index);
  const random = createRandom(options.seed);
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    for (const row of order) {
      predict(state, row);
      stepBiases(state, labels[row] ?? 0, rowWeights[row] ?? 0, held[row] ?? 0);
      stepWeights(state, row, held[row] ?? 0);
    }
  }
  const weights = new Float32Array(2 ** bits * FITS);
  for (let i = 0; i < weights.length; i++) weights[i] = table[i * 2] ?? 0;
  return { weights, biases };
}

/** Weight and sum of squared gradients alternate by fit, so that one cache line has all of an n-gram. */
const CELLS = FITS * 2;

/** Initial sum of squared gradients, which keeps the first step finite. */
const FIRST_SQUARE = 1e-6;

interface DescentState {
  readonly rows: NgramRows;
  readonly options: LogisticOptions;
  readonly table: Float32Array;
  readonly mask: number;
  readonly biases: Float64Array;
  readonly biasSquares: Float64Array;
  /** Log-odds of the current row, per fit. */
  readonly sums: Float64Array;
  /** Derivative of the loss at them; 0 for the fit that must not see the row. */
  readonly errors: Float64Array;
}

function predict({ rows, table, mask, biases, sums }: DescentState, row: number): void {
  const { hashes, ends, groups } = rows;
  sums.set(biases);
  const first = rows.starts[row] ?? 0;
  let at = first;
  for (let group = 0; group < groups; group++) {
    const end = first + (ends[row * groups + group] ?? 0);
    const value = groupScale[end - at] ?? 0;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (; at < end; at++) {
      const base = ((hashes[at] ?? 0) & mask) * CELLS;
      s0 += table[base] ?? 0;
      s1 += table[base + 2] ?? 0;
      s2 += table[base + 4] ?? 0;
      s3 += table[base + 6] ?? 0;
    }
    sums[0] = (sums[0] ?? 0) + s0 * value;
    sums[1] = (sums[1] ?? 0) + s1 * value;
    sums[2] = (sums[2] ?? 0) + s2 * value;
    sums[3] = (sums[3] ?? 0) + s3 * value;
  }
}

function stepBiases(state: DescentState, label: number, weight: number, heldOut: number): void {
  const { biases, biasSquares, sums, errors, options } = state;
  for (let fit = 0; fit < FITS; fit++) {
    const error = fit === heldOut ? 0 : (sigmoid(sums[fit] ?? 0) - label) * weight;
    errors[fit] = error;
    if (error === 0) continue;
    const square = (biasSquares[fit] ?? 0) + error * error;
    biasSquares[fit] = square;
    biases[fit] = (biases[fit] ?? 0) - (options.learningRate * error) / Math.sqrt(square);
  }
}

function stepWeights({ rows, table, mask, errors, options }: DescentState, row: number, heldOut: number): void {
  const { hashes, ends, groups } = rows;
  const { learningRate, l2 } = options;
  const first = rows.starts[row] ?? 0;
  let at = first;
  for (let group = 0; group < groups; group++) {
    const end = first + (ends[row * groups + group] ?? 0);
    const value = groupScale[end - at] ?? 0;
    for (; at < end; at++) {
      const base = ((hashes[at] ?? 0) & mask) * CELLS;
      for (let fit = 0; fit < FITS; fit++) {
        if (fit === heldOut) continue;
        const cell = base + fit * 2;
        const held = table[cell] ?? 0;
        const gradient = (errors[fit] ?? 0) * value + l2 * held;
        const square = (table[cell + 1] ?? 0) + gradient * gradient;
        table[cell + 1] = square;
        table[cell] = held - (learningRate * gradient) / Math.sqrt(square);
      }
    }
  }
}

/** Writes the sum of each group of a row's n-grams under one fit, 0 to 3, without bias. */
export function logisticSums(fits: LogisticFits, rows: NgramRows, row: number, fit: number, out: Float64Array): void {
  const mask = fits.weights.length / FITS - 1;
  const { weights } = fits;
  const first = rows.starts[row] ?? 0;
  let at = first;
  for (let group = 0; group < rows.groups; group++) {
    const end = first + (rows.ends[row * rows.groups + group] ?? 0);
    const value = groupScale[end - at] ?? 0;
    let sum = 0;
    for (; at < end; at++) sum += weights[((rows.hashes[at] ?? 0) & mask) * FITS + fit] ?? 0;
    out[group] = sum * value;
  }
}
