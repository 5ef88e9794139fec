import { sigmoid } from '#src/core/base/log-odds.ts';

/** A row with a known score and additional evidence. */
export interface EvidenceRow {
  /** Known log-odds, which the weights are fitted on top of. */
  readonly logOdds: number;
  /** 1 for phishing. */
  readonly label: number;
  readonly weight: number;
  /** Values of the evidence, by the index of its weight. */
  readonly seen: readonly (readonly [place: number, value: number])[];
}

/** Maximum weight, so that no evidence decides alone. */
const MAX_WEIGHT = 5;
const ROUNDS = 60;
const MAX_STEP = 0.5;

/**
 * Fits weights of evidence on top of a known score, in log-odds from 0 to 5: logistic regression by one Newton step per
 * weight and round. `pull` holds them to `start`, so that rare evidence keeps its weight.
 */
export function fitAdditiveWeights(rows: readonly EvidenceRow[], start: readonly number[], pull: number): number[] {
  const weights = [...start];
  for (let round = 0; round < ROUNDS; round++) {
    for (const place of weights.keys()) {
      const step = newtonStep(rows, weights, place, pull, start[place] ?? 0);
      const moved = (weights[place] ?? 0) + Math.min(MAX_STEP, Math.max(-MAX_STEP, step));
      weights[place] = Math.min(MAX_WEIGHT, Math.max(0, moved));
    }
  }
  return weights;
}

function newtonStep(
  rows: readonly EvidenceRow[],
  weights: readonly number[],
  place: number,
  pull: number,
  held: number,
) {
  let slope = -pull * ((weights[place] ?? 0) - held);
  let curve = pull;
  for (const { logOdds, label, weight, seen } of rows) {
    const value = seen.find(([at]) => at === place)?.[1];
    if (value === undefined) continue;
    const p = sigmoid(seen.reduce((sum, [at, one]) => sum + one * (weights[at] ?? 0), logOdds));
    slope += (label - p) * value * weight;
    curve += p * (1 - p) * value * value * weight;
  }
  return slope / curve;
}
