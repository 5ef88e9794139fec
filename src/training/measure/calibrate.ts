import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import { type Calibration, calibratedLogOdds } from '#src/engine/lexical/model.ts';
import { kindOf } from '../data/kinds.ts';
import type { MeasuredRows } from './measure-folds.ts';
import { fitPlatt } from './platt.ts';

/** Minimum probabilities of a warning and a block, at the base rate of 5 %. */
export interface FittedThresholds {
  readonly warn: number;
  readonly block: number;
}

/** Base rate of stated probabilities, unless the operator sets another. */
export const BASE_RATE = 0.05;

const BASE_LOG_ODDS = logOddsOf(BASE_RATE);
const WARN_FALSE_ALARMS = 0.01;
const BLOCK_FALSE_ALARMS = 0.001;

/** Rows of several measurements. */
export interface PooledRows {
  readonly scores: Float64Array;
  readonly labels: Uint8Array;
  readonly sources: readonly string[];
  readonly weights: Float64Array;
}

/** Joins measurements with equal weight. */
export function poolRows(measured: readonly MeasuredRows[]): PooledRows {
  return {
    scores: Float64Array.from(measured.flatMap(({ scores }) => [...scores])),
    labels: Uint8Array.from(measured.flatMap(({ labels }) => [...labels])),
    sources: measured.flatMap(({ sources }) => sources),
    weights: Float64Array.from(
      measured.flatMap(({ weights }) => [...weights].map((weight) => weight / measured.length)),
    ),
  };
}

/** Fits the calibration on rows of sources that their models have not seen. */
export function calibrate({ scores, labels, weights }: PooledRows): Calibration {
  return fitPlatt(scores, labels, weights);
}

/** Returns the probabilities at {@link BASE_RATE}. */
export function probabilitiesOf(scores: Float64Array, calibration: Calibration): Float64Array {
  return scores.map((score) => sigmoid(calibratedLogOdds(calibration, score) + BASE_LOG_ODDS));
}

/**
 * Returns the lowest thresholds with at most 1 % and 0.1 % false alarms on benign pages of unseen sources, and no more
 * on account pages of real brands alone.
 */
export function chooseThresholds(pooled: PooledRows, calibration: Calibration): FittedThresholds {
  const probabilities = probabilitiesOf(pooled.scores, calibration);
  const at = (rate: number) =>
    Math.max(
      quantile(probabilities, pooled, rate, () => true),
      quantile(probabilities, pooled, rate, (row) => kindOf(pooled.sources[row] ?? '') === 'account'),
    );
  return { warn: at(WARN_FALSE_ALARMS), block: at(BLOCK_FALSE_ALARMS) };
}

/** Returns the probability that a share `rate` of the chosen benign rows reaches. */
function quantile(
  probabilities: Float64Array,
  { labels, weights }: PooledRows,
  rate: number,
  isChosen: (row: number) => boolean,
) {
  const rows = [...labels.keys()]
    .filter((row) => labels[row] === 0 && isChosen(row))
    .sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0));
  const total = rows.reduce((sum, row) => sum + (weights[row] ?? 0), 0);
  let above = 0;
  for (const row of rows) {
    above += weights[row] ?? 0;
    if (above > rate * total) return (probabilities[row] ?? 0) + 1e-9;
  }
  return 1;
}
