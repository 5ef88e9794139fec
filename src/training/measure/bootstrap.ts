import { createRandom } from '../data/random.ts';
import type { Scored } from './metrics.ts';

/** Middle 95 % of the resampled values. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 200;

/**
 * Returns intervals of the area under the curve and of the share caught at each false-alarm rate: 200 resamples
 * (Poisson bootstrap), with a fixed seed.
 */
export function bootstrapRanks(
  { scores, labels }: Scored,
  weights: Float64Array,
  falseAlarmRates: readonly number[],
  seed = 1,
) {
  const order = Uint32Array.from(scores, (_, row) => row).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const random = createRandom(seed);
  const draws = Array.from({ length: RESAMPLES }, () => resample(order, labels, weights, falseAlarmRates, random));
  return {
    auc: interval(draws.map(({ auc }) => auc)),
    tpr: falseAlarmRates.map((_, index) => interval(draws.map(({ tpr }) => tpr[index] ?? 0))),
  };
}

function resample(
  order: Uint32Array,
  labels: Uint8Array,
  weights: Float64Array,
  rates: readonly number[],
  random: () => number,
) {
  const drawn = new Float64Array(order.length);
  let phishing = 0;
  let benign = 0;
  for (const row of order) {
    const weight = (weights[row] ?? 0) * poisson(random);
    drawn[row] = weight;
    if (labels[row] === 1) phishing += weight;
    else benign += weight;
  }
  let fpr = 0;
  let caught = 0;
  let auc = 0;
  const tpr = rates.map(() => 0);
  for (const row of order) {
    const weight = drawn[row] ?? 0;
    if (labels[row] === 1) caught += weight / phishing;
    else {
      fpr += weight / benign;
      auc += (weight / benign) * caught;
    }
    for (const [index, rate] of rates.entries()) if (fpr <= rate) tpr[index] = caught;
  }
  return { auc, tpr };
}

/** Returns a draw from the Poisson distribution with mean 1. */
function poisson(random: () => number): number {
  let product = random();
  let count = 0;
  while (product > 1 / Math.E) {
    product *= random();
    count++;
  }
  return count;
}

function interval(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}
