import { expect, test } from 'bun:test';
import { createRandom } from '#src/training/data/random.ts';
import { fitPlatt } from '#src/training/measure/platt.ts';

test('recovers the slope, the offset and the curve of the labels', () => {
  for (const curve of [0, 0.05, -0.04]) {
    const random = createRandom(3);
    const scores = Float64Array.from({ length: 50_000 }, () => random() * 12 - 6);
    const probability = (score: number) => 1 / (1 + Math.exp(-(0.6 * score + curve * score ** 2 - 0.8)));
    const labels = Uint8Array.from(scores, (score) => (random() < probability(score) ? 1 : 0));
    const fitted = fitPlatt(scores, labels, new Float64Array(scores.length).fill(1));
    expect(fitted.slope).toBeCloseTo(0.6, 1);
    expect(fitted.offset).toBeCloseTo(-0.8, 1);
    expect(Math.abs(fitted.curve - curve)).toBeLessThan(0.01);
  }
});
