import { expect, test } from 'bun:test';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';

test('probabilities and log-odds convert into each other', () => {
  expect(sigmoid(0)).toBe(0.5);
  expect(logOddsOf(0.5)).toBe(0);
  for (let logOdds = -16; logOdds <= 16; logOdds += 0.37) {
    expect(logOddsOf(sigmoid(logOdds))).toBeCloseTo(logOdds, 8);
    expect(sigmoid(logOdds) + sigmoid(-logOdds)).toBeCloseTo(1, 15);
  }
});
