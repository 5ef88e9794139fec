import { expect, test } from 'bun:test';
import { sigmoid } from '#src/core/base/log-odds.ts';
import { type EvidenceRow, fitAdditiveWeights } from '#src/training/fit/additive-weights.ts';

/** Returns rows with a known score and a signal, labelled by the weight of the signal. */
function rowsWith(weight: number, value: number): EvidenceRow[] {
  return [-3, -1, 0, 1, 2].flatMap((logOdds) => {
    const p = sigmoid(logOdds + weight * value);
    const row = { logOdds, seen: [[0, value]] as const };
    return [
      { ...row, label: 1, weight: p },
      { ...row, label: 0, weight: 1 - p },
    ];
  });
}

test('fits the weight that the known score leaves', () => {
  expect(fitAdditiveWeights(rowsWith(2, 1), [0.5], 1e-6)[0]).toBeCloseTo(2, 3);
  expect(fitAdditiveWeights(rowsWith(2, 0.5), [0], 1e-6)[0]).toBeCloseTo(2, 3);
});

test('keeps the weight of rare and absent evidence', () => {
  const rare = rowsWith(4, 1).map((row) => ({ ...row, weight: row.weight * 1e-6 }));
  expect(fitAdditiveWeights(rare, [0.5, 0.7], 0.01)).toEqual([expect.closeTo(0.5, 2), 0.7]);
});

test('weights are neither negative nor above the maximum', () => {
  expect(fitAdditiveWeights(rowsWith(-2, 1), [0.5], 1e-6)).toEqual([0]);
  expect(fitAdditiveWeights(rowsWith(9, 1), [0.5], 1e-6)).toEqual([5]);
});
