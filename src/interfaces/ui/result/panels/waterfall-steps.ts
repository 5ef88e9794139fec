import type { Reason } from '#src/checks/record/check-result.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';

/** Span of a reason on the axis; `from` and `to` are shares of its width. */
export interface Step {
  readonly reason: Reason;
  readonly from: number;
  readonly to: number;
  /** After this reason and all before it. */
  readonly probability: number;
}

interface Point {
  readonly at: number;
  readonly probability: number;
}

/** Probabilities that may be named on the axis, the most telling first. */
const TICKS = [0.5, 0.05, 0.95, 0.01, 0.99, 0.2, 0.8, 0.001, 0.999];

/** Ticks nearer to each other than this share of the axis would write over each other. */
const TICK_DISTANCE = 0.14;

/** The least width of the axis in log-odds, so that a small sign does not look like a large one. */
const MIN_WIDTH = 6;

/** Returns the spans of all reasons on one axis of log-odds. */
export function waterfallSteps(baseLogOdds: number, reasons: readonly Reason[]) {
  const sums = [baseLogOdds];
  for (const { weight } of reasons) sums.push((sums.at(-1) ?? 0) + weight);
  const low = Math.min(...sums);
  const high = Math.max(...sums);
  const margin = Math.max((high - low) * 0.05, (MIN_WIDTH - (high - low)) / 2);
  const left = low - margin;
  const width = high + margin - left;
  const pointOf = (logOdds: number): Point => ({ at: (logOdds - left) / width, probability: sigmoid(logOdds) });
  const points = sums.map(pointOf);
  const start = pointOf(baseLogOdds);
  return {
    start,
    steps: reasons.map((reason, index): Step => {
      const to = points[index + 1] ?? start;
      return { reason, from: (points[index] ?? start).at, to: to.at, probability: to.probability };
    }),
    end: points.at(-1) ?? start,
    ticks: ticksWithin(left, width),
  };
}

function ticksWithin(left: number, width: number): Point[] {
  const ticks: Point[] = [];
  for (const probability of TICKS) {
    const at = (logOddsOf(probability) - left) / width;
    const isFree = ticks.every((tick) => Math.abs(tick.at - at) >= TICK_DISTANCE);
    if (at >= 0.04 && at <= 0.96 && isFree) ticks.push({ at, probability });
  }
  return ticks;
}
