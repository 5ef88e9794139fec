/** Map from scores to log-odds relative to the base rate: offset + slope × score + curve × score². */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
  readonly curve: number;
}

/** Share of the slope below which the map does not fall; beyond that score it continues straight, so that it never turns. */
const LEAST_SHARE = 0.25;

/** Returns the log-odds of a score relative to the base rate. Strictly increasing if the slope is positive. */
export function calibratedLogOdds({ slope, offset, curve }: Calibration, score: number): number {
  if (curve === 0) return slope * score + offset;
  const turn = ((LEAST_SHARE - 1) * slope) / (2 * curve);
  const bent = curve > 0 ? Math.max(score, turn) : Math.min(score, turn);
  return offset + bent * (slope + curve * bent) + (score - bent) * LEAST_SHARE * slope;
}
