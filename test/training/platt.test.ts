import { expect, test } from 'bun:test';
import { createRandom } from '#src/training/data/random.ts';
import { fitPlatt } from '#src/training/measure/platt.ts';

test('recovers the slope and the offset of the labels', () => {
  const random = createRandom(3);
  const scores = Float64Array.from({ length: 50_000 }, () => random() * 12 - 6);
  const labels = Uint8Array.from(scores, (score) => (random() < 1 / (1 + Math.exp(-(0.6 * score - 0.8))) ? 1 : 0));
  const { slope, offset } = fitPlatt(scores, labels, new Float64Array(scores.length).fill(1));
  expect(slope).toBeCloseTo(0.6, 1);
  expect(offset).toBeCloseTo(-0.8, 1);
});
