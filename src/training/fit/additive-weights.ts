import { sigmoid } from '#src/core/base/log-odds.ts';

/** A row about which something is known already, and what is seen of it beyond that. */
export interface EvidentRow {
  /** What is known, in log-odds; the weights are fitted to what it leaves. */
  readonly logOdds: number;
  /** 1 for phishing. */
  readonly label: number;
  readonly weight: number;
  /** Values of what is seen, each by its place among the weights. */
  readonly seen: readonly (readonly [place: number, value: number])[];
}

/** No evidence of one kind decides alone. */
const LARGEST = 5;
const ROUNDS = 60;
const LARGEST_STEP = 0.5;

/**
 * Weights, in log-odds and from 0 to 5, of what is seen beside what is known: logistic regression by one Newton step a
 * weight and round, held to `start` by `pull`, so that what is seen too rarely stays as it was.
 */
export function fitAdditiveWeights(rows: readonly EvidentRow[], start: readonly number[], pull: number): number[] {
  const weights = [...start];
  for (let round = 0; round < ROUNDS; round++) {
    for (const place of weights.keys()) {
      const step = newtonStep(rows, weights, place, pull, start[place] ?? 0);
      const moved = (weights[place] ?? 0) + Math.min(LARGEST_STEP, Math.max(-LARGEST_STEP, step));
      weights[place] = Math.min(LARGEST, Math.max(0, moved));
    }
  }
  return weights;
}

function newtonStep(
  rows: readonly EvidentRow[],
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
