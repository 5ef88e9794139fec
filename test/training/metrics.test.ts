import { describe, expect, test } from 'bun:test';
import { createRandom } from '#src/training/data/random.ts';
import { averagePrecision, calibrationMetrics } from '#src/training/measure/calibration-metrics.ts';
import { rankMetrics, sourceWeights } from '#src/training/measure/metrics.ts';

const random = createRandom(5);
const labels = Uint8Array.from({ length: 4000 }, () => (random() < 0.5 ? 1 : 0));
const scores = Float64Array.from(labels, (label) => random() + 0.5 * label);
const sources = Array.from(labels, (label, row) => (label === 1 ? `feed${row % 3}` : row % 5 ? 'jsorg' : 'ada_kasztp'));
const scored = { scores, labels, sources };
const weights = sourceWeights(scored);

describe('metrics', () => {
  test('give both classes and all kinds of benign pages equal weight', () => {
    const total = (pick: (row: number) => boolean) =>
      weights.reduce((sum, weight, row) => sum + (pick(row) ? weight : 0), 0);
    expect(total((row) => labels[row] === 1)).toBeCloseTo(1, 9);
    expect(total((row) => labels[row] === 0)).toBeCloseTo(1, 9);
    expect(total((row) => sources[row] === 'jsorg')).toBeCloseTo(
      total((row) => sources[row] === 'ada_kasztp'),
      9,
    );
  });

  test('compute the same area as comparing every pair', () => {
    let pairs = 0;
    for (let a = 0; a < 400; a++) {
      for (let b = 0; b < 400; b++) {
        if (labels[a] !== 1 || labels[b] !== 0) continue;
        pairs += ((scores[a] ?? 0) > (scores[b] ?? 0) ? 1 : 0) * (weights[a] ?? 0) * (weights[b] ?? 0);
      }
    }
    const part = { scores: scores.subarray(0, 400), labels: labels.subarray(0, 400), sources: sources.slice(0, 400) };
    expect(rankMetrics(part, weights.subarray(0, 400), []).auc).toBeCloseTo(pairs, 9);
  });

  test('never exceed the requested false-alarm rate', () => {
    for (const rate of [0.2, 0.01, 0.001]) {
      const threshold = rankMetrics(scored, weights, [rate]).points[0]?.threshold ?? 0;
      let alarms = 0;
      for (const [row, label] of labels.entries())
        if (label === 0 && (scores[row] ?? 0) >= threshold) alarms += weights[row] ?? 0;
      expect(alarms).toBeLessThanOrEqual(rate + 1e-12);
    }
  });

  test('are 1 for perfect scores and 0 for reversed ones', () => {
    const perfect = Float64Array.from(labels);
    const even = new Float64Array(labels.length).fill(1 / 2000);
    expect(rankMetrics({ ...scored, scores: perfect }, weights, [0.001])).toMatchObject({ points: [{ threshold: 1 }] });
    expect(averagePrecision(perfect, labels, even, 0.01)).toBeGreaterThan(0.99);
    expect(
      averagePrecision(
        perfect.map((x) => -x),
        labels,
        even,
        0.01,
      ),
    ).toBeLessThan(0.05);
  });

  test('find no calibration error in the probabilities of the labels, and one in doubled ones', () => {
    const draw = createRandom(9);
    const probabilities = Float64Array.from({ length: 40_000 }, () => draw() * 0.5);
    const drawn = Uint8Array.from(probabilities, (p) => (draw() < p ? 1 : 0));
    const rate = drawn.reduce((sum, label) => sum + label, 0) / drawn.length;
    const even = Float64Array.from(drawn, (label) => 1 / drawn.length / (label === 1 ? rate : 1 - rate));
    expect(calibrationMetrics(probabilities, drawn, even, rate).ece).toBeLessThan(0.01);
    expect(
      calibrationMetrics(
        probabilities.map((p) => 2 * p),
        drawn,
        even,
        rate,
      ).ece,
    ).toBeGreaterThan(0.2);
  });
});
