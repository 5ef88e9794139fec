import { kindOf, REPORTED_APART } from '../data/kinds.ts';

/** Scored rows of one measurement. */
export interface Scored {
  readonly scores: Float64Array;
  readonly labels: Uint8Array;
  readonly sources: readonly string[];
}

/**
 * Minimum size of a group with full weight; smaller ones weigh proportionally less, so that no single row moves a
 * threshold.
 */
const FULL_GROUP = 400;

/**
 * Returns weights under which each class sums to 1 and, within it, feeds or kinds of benign pages are equal, as are the
 * sources of a kind. {@link REPORTED_APART} have weight 0.
 */
export function sourceWeights({ labels, sources }: Pick<Scored, 'labels' | 'sources'>): Float64Array {
  const groups = Array.from(sources, (source, row) => (labels[row] === 1 ? source : kindOf(source)));
  const sourceSizes = countOf(sources.map((source, row) => `${labels[row]} ${source}`));
  const shares = sources.map((source, row) => {
    const size = sourceSizes.get(`${labels[row]} ${source}`) ?? 1;
    return REPORTED_APART.has(groups[row] ?? '') ? 0 : Math.min(1, size / FULL_GROUP) / size;
  });
  const inGroup = new Map<string, number>();
  for (const [row, group] of groups.entries()) inGroup.set(group, (inGroup.get(group) ?? 0) + (shares[row] ?? 0));
  const raw = Float64Array.from(shares, (share, row) => share / Math.max(1, inGroup.get(groups[row] ?? '') ?? 1));
  const totals = [0, 0];
  for (const [row, weight] of raw.entries()) totals[labels[row] ?? 0] = (totals[labels[row] ?? 0] ?? 0) + weight;
  return raw.map((weight, row) => weight / (totals[labels[row] ?? 0] ?? 1));
}

function countOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Share of phishing caught at a false-alarm rate, and the score from which it is caught. */
export interface OperatingPoint {
  readonly tpr: number;
  readonly threshold: number;
}

/**
 * Returns the area under the curve and operating points, from weights that sum to 1 per class. Ties count half in the
 * area, and as false alarms first in the points.
 */
export function rankMetrics({ scores, labels }: Scored, weights: Float64Array, falseAlarmRates: readonly number[]) {
  const order = Uint32Array.from(scores, (_, row) => row).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const points: OperatingPoint[] = falseAlarmRates.map(() => ({ tpr: 0, threshold: Number.POSITIVE_INFINITY }));
  let fpr = 0;
  let tpr = 0;
  let area = 0;
  for (let i = 0; i < order.length; ) {
    const score = scores[order[i] ?? 0] ?? 0;
    let benign = 0;
    let phishing = 0;
    for (; i < order.length && scores[order[i] ?? 0] === score; i++) {
      const row = order[i] ?? 0;
      if (labels[row] === 1) phishing += weights[row] ?? 0;
      else benign += weights[row] ?? 0;
    }
    area += benign * (tpr + phishing / 2);
    fpr += benign;
    tpr += phishing;
    for (const [index, rate] of falseAlarmRates.entries()) if (fpr <= rate) points[index] = { tpr, threshold: score };
  }
  return { auc: area, points };
}
