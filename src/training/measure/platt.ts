import { sigmoid } from '#src/core/base/log-odds.ts';
import type { Calibration } from '#src/engine/lexical/model.ts';

/**
 * Pull on the curve of each pass. The first pass holds it at 0, because steps of all three would not converge from an
 * arbitrary start; the second hardly pulls, so that the few rows at the ends of the scores do not decide alone.
 */
const PULLS = [1e12, 1e-4];
const STEPS = 25;

/** Largest step, since a longer one leaves the range in which the second derivatives hold. */
const LARGEST = { slope: 0.3, curve: 0.03 };

/**
 * Fits Platt's calibration with a second-order term by Newton steps. With weights that give both classes the same sum, the
 * results are log-odds relative to an even prior, and hold at any base rate after its log-odds are added.
 */
export function fitPlatt(scores: Float64Array, labels: Uint8Array, weights: Float64Array): Calibration {
  let [offset, slope, curve] = [0, 1, 0];
  for (let step = 0; step < PULLS.length * STEPS; step++) {
    const pull = PULLS[Math.floor(step / STEPS)] ?? 0;
    const gradient = [0, 0, pull * curve];
    // Sums of curvature × score to the powers 0 to 4: the second derivatives.
    const moments = [1e-9, 0, 1e-9, 0, pull];
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i] ?? 0;
      const weight = weights[i] ?? 0;
      const p = sigmoid(offset + score * (slope + curve * score));
      let error = (p - (labels[i] ?? 0)) * weight;
      let bend = p * (1 - p) * weight;
      for (let power = 0; power < moments.length; power++) {
        if (power < gradient.length) gradient[power] = (gradient[power] ?? 0) + error;
        moments[power] = (moments[power] ?? 0) + bend;
        error *= score;
        bend *= score;
      }
    }
    const [dOffset, dSlope, dCurve] = solve(moments, gradient);
    const share =
      1 / Math.max(1, Math.abs(dOffset), Math.abs(dSlope) / LARGEST.slope, Math.abs(dCurve) / LARGEST.curve);
    offset -= dOffset * share;
    slope -= dSlope * share;
    curve -= dCurve * share;
  }
  return { slope, offset, curve };
}

/** Solves the three equations whose matrix has `moments[row + column]`, by Cramer's rule. */
function solve(moments: readonly number[], right: readonly number[]): [number, number, number] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = moments;
  const [x = 0, y = 0, z = 0] = right;
  const determinant = a * (c * e - d * d) - b * (b * e - c * d) + c * (b * d - c * c);
  return [
    (x * (c * e - d * d) - b * (y * e - d * z) + c * (y * d - c * z)) / determinant,
    (a * (y * e - d * z) - x * (b * e - c * d) + c * (b * z - c * y)) / determinant,
    (a * (c * z - d * y) - b * (b * z - c * y) + x * (b * d - c * c)) / determinant,
  ];
}
