import { expect, test } from 'bun:test';
import { sigmoid } from '#src/core/base/log-odds.ts';
import { type EvidentRow, fitAdditiveWeights } from '#src/training/fit/additive-weights.ts';

/** Rows in which a sign stands beside what is known, as often phishing as its weight says. */
function rowsWith(weight: number, value: number): EvidentRow[] {
  return [-3, -1, 0, 1, 2].flatMap((logOdds) => {
    const p = sigmoid(logOdds + weight * value);
    const row = { logOdds, seen: [[0, value]] as const };
    return [
      { ...row, label: 1, weight: p },
      { ...row, label: 0, weight: 1 - p },
    ];
  });
}

test('a weight is what is known leaves to be said', () => {
  expect(fitAdditiveWeights(rowsWith(2, 1), [0.5], 1e-6)[0]).toBeCloseTo(2, 3);
  expect(fitAdditiveWeights(rowsWith(2, 0.5), [0], 1e-6)[0]).toBeCloseTo(2, 3);
});

test('what is hardly seen stays as it was, and what is not seen at all, too', () => {
  const rare = rowsWith(4, 1).map((row) => ({ ...row, weight: row.weight * 1e-6 }));
  expect(fitAdditiveWeights(rare, [0.5, 0.7], 0.01)).toEqual([expect.closeTo(0.5, 2), 0.7]);
});

test('a sign of phishing never comes to speak for a site, and none decides alone', () => {
  expect(fitAdditiveWeights(rowsWith(-2, 1), [0.5], 1e-6)).toEqual([0]);
  expect(fitAdditiveWeights(rowsWith(9, 1), [0.5], 1e-6)).toEqual([5]);
});
