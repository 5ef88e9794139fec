import { sigmoid } from '#src/core/base/log-odds.ts';
/** Affine map of scores: slope × score + offset. */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/**
 * Fits Platt's calibration by Newton steps. With weights that give both classes the same sum, the results are log-odds
 * relative to an even prior, and hold at any base rate after its log-odds are added.
 */
export function fitPlatt(scores: Float64Array, labels: Uint8Array, weights: Float64Array): Calibration {
  let slope = 1;
  let offset = 0;
  for (let step = 0; step < 50; step++) {
    let gSlope = 0;
    let gOffset = 0;
    let hSlope = 1e-9;
    let hCross = 0;
    let hOffset = 1e-9;
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i] ?? 0;
      const weight = weights[i] ?? 0;
      const p = sigmoid(slope * score + offset);
      const error = (p - (labels[i] ?? 0)) * weight;
      const curve = p * (1 - p) * weight;
      gSlope += error * score;
      gOffset += error;
      hSlope += curve * score * score;
      hCross += curve * score;
      hOffset += curve;
    }
    const determinant = hSlope * hOffset - hCross * hCross;
    const dSlope = (hOffset * gSlope - hCross * gOffset) / determinant;
    const dOffset = (hSlope * gOffset - hCross * gSlope) / determinant;
    slope -= dSlope;
    offset -= dOffset;
    if (Math.abs(dSlope) + Math.abs(dOffset) < 1e-10) break;
  }
  return { slope, offset };
}
