/** Number of probability buckets, 0.02 wide. */
export const PROBABILITY_BUCKETS = 50;

/** Buckets per octave: a quantile is exact to a fifth of itself. */
const BUCKETS_PER_OCTAVE = 4;

/** Number of answer-time buckets, from a millisecond to over a minute. */
export const ANSWER_TIME_BUCKETS = 17 * BUCKETS_PER_OCTAVE;

/** Returns the bucket of a probability; 1 belongs to the last. */
export function probabilityBucket(probability: number): number {
  return Math.min(PROBABILITY_BUCKETS - 1, Math.floor(probability * PROBABILITY_BUCKETS));
}

/** Returns the bucket of an answer time; less than a millisecond belongs to the first. */
export function answerTimeBucket(seconds: number): number {
  const bucket = Math.floor(BUCKETS_PER_OCTAVE * Math.log2(Math.max(seconds * 1000, 1)));
  return Math.min(ANSWER_TIME_BUCKETS - 1, bucket);
}

/** Returns the lower bound of an answer-time bucket, in seconds. */
export function answerTimeBound(bucket: number): number {
  return bucket === 0 ? 0 : 2 ** (bucket / BUCKETS_PER_OCTAVE) / 1000;
}

/** Returns the time within which the share `q` of all checks was answered, in seconds; null without checks. */
export function answerTimeQuantile(checks: readonly number[], q: number): number | null {
  const total = checks.reduce((sum, count) => sum + count, 0);
  let left = q * total;
  for (const [bucket, count] of checks.entries()) {
    if (count > 0 && left <= count) {
      const from = answerTimeBound(bucket);
      return from + (left / count) * (answerTimeBound(bucket + 1) - from);
    }
    left -= count;
  }
  return null;
}
