/** Calibration error of probabilities at one base rate. */
export interface CalibrationMetrics {
  /** Expected calibration error over 15 bins of equal weight. */
  readonly ece: number;
  readonly brier: number;
}

const BINS = 15;

/** Measures probabilities at a base rate, with weights that sum to 1 per class. */
export function calibrationMetrics(
  probabilities: Float64Array,
  labels: Uint8Array,
  weights: Float64Array,
  baseRate: number,
): CalibrationMetrics {
  const mass = (row: number) => (weights[row] ?? 0) * (labels[row] === 1 ? baseRate : 1 - baseRate);
  const order = Uint32Array.from(probabilities, (_, row) => row).sort(
    (a, b) => (probabilities[a] ?? 0) - (probabilities[b] ?? 0),
  );
  const bins = Array.from({ length: BINS }, () => ({ mass: 0, predicted: 0, found: 0 }));
  let seen = 0;
  let brier = 0;
  for (const row of order) {
    const m = mass(row);
    const p = probabilities[row] ?? 0;
    const bin = bins[Math.min(BINS - 1, Math.floor(seen * BINS))];
    seen += m;
    brier += m * (p - (labels[row] ?? 0)) ** 2;
    if (!bin) continue;
    bin.mass += m;
    bin.predicted += m * p;
    bin.found += m * (labels[row] ?? 0);
  }
  const ece = bins.reduce((sum, { predicted, found }) => sum + Math.abs(predicted - found), 0);
  return { ece, brier };
}

/**
 * Returns the area under the precision-recall curve (average precision) at a base rate, with weights that sum to 1 per
 * class.
 */
export function averagePrecision(
  scores: Float64Array,
  labels: Uint8Array,
  weights: Float64Array,
  baseRate: number,
): number {
  const order = Uint32Array.from(scores, (_, row) => row).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  let caught = 0;
  let alarms = 0;
  let area = 0;
  for (const row of order) {
    const weight = weights[row] ?? 0;
    if (labels[row] !== 1) {
      alarms += weight * (1 - baseRate);
      continue;
    }
    caught += weight * baseRate;
    area += weight * (caught / (caught + alarms));
  }
  return area;
}
