/** Probabilities are counted in steps of 0.02. */
export const PROBABILITY_BUCKETS = 50;

/** Four buckets an octave: a quantile is right to a fifth of itself. */
const BUCKETS_AN_OCTAVE = 4;

/** From a millisecond to over a minute. */
export const ANSWER_TIME_BUCKETS = 17 * BUCKETS_AN_OCTAVE;

/** The bucket of a probability; 1 belongs to the last. */
export function probabilityBucket(probability: number): number {
  return Math.min(PROBABILITY_BUCKETS - 1, Math.floor(probability * PROBABILITY_BUCKETS));
}

/** The bucket of an answer time; what is under a millisecond belongs to the first. */
export function answerTimeBucket(seconds: number): number {
  const bucket = Math.floor(BUCKETS_AN_OCTAVE * Math.log2(Math.max(seconds * 1000, 1)));
  return Math.min(ANSWER_TIME_BUCKETS - 1, bucket);
}

/** Where a bucket of answer times begins, in seconds. */
export function answerTimeBound(bucket: number): number {
  return bucket === 0 ? 0 : 2 ** (bucket / BUCKETS_AN_OCTAVE) / 1000;
}

/** The time within which the share `q` of all checks was answered, in seconds; null where there were none. */
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
