import { expect, test } from 'bun:test';
import { calibratedLogOdds } from '#src/engine/lexical/model.ts';

test('adds slope, offset and curve in the range in use', () => {
  expect(calibratedLogOdds({ slope: 0.7, offset: 0.2, curve: 0 }, 3)).toBeCloseTo(2.3, 12);
  expect(calibratedLogOdds({ slope: 0.7, offset: 0.2, curve: 0.02 }, 3)).toBeCloseTo(2.3 + 0.18, 12);
});

test('is strictly increasing and without a jump for any score and any curve', () => {
  for (const curve of [0, 0.004, 0.03, 0.2, -0.004, -0.03, -0.2]) {
    let before = calibratedLogOdds({ slope: 0.68, offset: 0.17, curve }, -40);
    for (let score = -40 + 1 / 64; score < 40; score += 1 / 64) {
      const now = calibratedLogOdds({ slope: 0.68, offset: 0.17, curve }, score);
      expect(now).toBeGreaterThan(before);
      expect(now - before).toBeLessThan(0.3);
      before = now;
    }
  }
});
