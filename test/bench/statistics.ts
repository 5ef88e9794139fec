/** A figure that was measured several times. */
export interface Spread {
  readonly median: number;
  /** Between these two the true median lies in at least 95 of 100 such measurements; of too few values, the least and the most. */
  readonly low: number;
  readonly high: number;
}

/** How many values it takes for such an interval: six coins show the same side in one case of 32. */
export const ENOUGH_ROUNDS = 6;

/** Chance that the interval misses the median on one side. */
const MISSED = 0.025;

/** The median with its interval by order statistics, which holds whatever the distribution. Throws a RangeError for no values. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  const cut = cutOf(sorted.length);
  return { median: medianOf(sorted), low: at(sorted, cut), high: at(sorted, sorted.length - 1 - cut) };
}

/** What share of values lies at or below: the nearest rank among ascending values. */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  return at(sorted, Math.max(0, Math.ceil(sorted.length * share) - 1));
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2;
}

/** How many values fall away on each side: as many as a fair coin shows heads in so many throws in one case of forty. */
function cutOf(count: number): number {
  let chance = 0.5 ** count;
  let heads = 0;
  for (let sum = chance; sum <= MISSED; sum += chance) {
    chance *= (count - heads) / (heads + 1);
    heads++;
  }
  return Math.max(0, heads - 1);
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? Number.NaN;
