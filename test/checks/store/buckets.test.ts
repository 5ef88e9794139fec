import { expect, test } from 'bun:test';
import {
  ANSWER_TIME_BUCKETS,
  answerTimeBound,
  answerTimeBucket,
  answerTimeQuantile,
  PROBABILITY_BUCKETS,
  probabilityBucket,
} from '#src/checks/store/write/buckets.ts';

test('probabilities are counted in 50 steps of 0.02, and 1 belongs to the last', () => {
  expect(PROBABILITY_BUCKETS).toBe(50);
  expect([0, 0.019, 0.021, 0.5, 0.99, 1].map(probabilityBucket)).toEqual([0, 0, 1, 25, 49, 49]);
});

test('each answer time is within the bounds of its bucket, and the outer buckets are open', () => {
  for (const seconds of [0.0011, 0.0015, 0.01, 0.3, 1, 7.7, 60, 100]) {
    const bucket = answerTimeBucket(seconds);
    expect(answerTimeBound(bucket)).toBeLessThanOrEqual(seconds);
    expect(answerTimeBound(bucket + 1)).toBeGreaterThan(seconds);
    expect(answerTimeBound(bucket + 1) / answerTimeBound(bucket || 1)).toBeLessThan(1.2);
  }
  expect([0, 0.0005, 0.001].map(answerTimeBucket)).toEqual([0, 0, 0]);
  expect(answerTimeBucket(1e6)).toBe(ANSWER_TIME_BUCKETS - 1);
  expect(answerTimeBound(0)).toBe(0);
  expect(answerTimeBound(ANSWER_TIME_BUCKETS - 1)).toBeGreaterThan(60);
});

test('a quantile is interpolated within its bucket', () => {
  const checks = Array.from({ length: ANSWER_TIME_BUCKETS }, () => 0);
  expect(answerTimeQuantile(checks, 0.5)).toBeNull();
  checks[8] = 10;
  checks[20] = 30;
  const within = (bucket: number, share: number) =>
    answerTimeBound(bucket) + share * (answerTimeBound(bucket + 1) - answerTimeBound(bucket));
  expect(answerTimeQuantile(checks, 0)).toBeCloseTo(within(8, 0), 12);
  expect(answerTimeQuantile(checks, 0.125)).toBeCloseTo(within(8, 0.5), 12);
  expect(answerTimeQuantile(checks, 0.25)).toBeCloseTo(within(8, 1), 12);
  expect(answerTimeQuantile(checks, 0.625)).toBeCloseTo(within(20, 0.5), 12);
  expect(answerTimeQuantile(checks, 1)).toBeCloseTo(within(20, 1), 12);
});
