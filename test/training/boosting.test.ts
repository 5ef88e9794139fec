import { describe, expect, test } from 'bun:test';
import { NO_FEATURE, prepareTrees, type Trees, walkTrees } from '#src/engine/lexical/trees.ts';
import { createRandom } from '#src/training/data/random.ts';
import { binColumns } from '#src/training/fit/binned-columns.ts';
import { boost } from '#src/training/fit/boosting.ts';
import { BOOSTING_DEFAULTS } from '#src/training/fit/boosting-options.ts';

const WIDTH = 4;
const options = { ...BOOSTING_DEFAULTS, trees: 30, minChildWeight: 2, columnShare: 0.8 };

/** Rows of noise whose label depends on two columns, so that no single split separates it. */
function data(rows: number) {
  const random = createRandom(7);
  const table = Float32Array.from({ length: rows * WIDTH }, (_, i) =>
    i % WIDTH === 2 ? 0 : Math.round(random() * 20),
  );
  const labels = Uint8Array.from({ length: rows }, (_, row) =>
    (table[row * WIDTH] ?? 0) > 10 !== (table[row * WIDTH + 1] ?? 0) > 10 ? 1 : 0,
  );
  return { table, labels, weights: new Float32Array(rows).fill(1) };
}

/** The output of the trees by their definition: of each, the value of the node at which a row ends. */
function outputOf({ depth, features, thresholds, values }: Trees, row: Float32Array): number {
  const inner = 2 ** depth - 1;
  let output = 0;
  for (let tree = 0; tree < features.length / inner; tree++) {
    let node = 0;
    while (node < inner) {
      const feature = features[tree * inner + node] ?? NO_FEATURE;
      if (feature === NO_FEATURE) break;
      node = 2 * node + ((row[feature] ?? 0) <= (thresholds[tree * inner + node] ?? 0) ? 1 : 2);
    }
    output += values[tree * (2 * inner + 1) + node] ?? 0;
  }
  return output;
}

describe('boosted trees', () => {
  const { table, labels, weights } = data(2000);
  const trees = boost(binColumns(table, WIDTH), labels, weights, options);
  const walkable = prepareTrees(trees);

  test('learn an interaction of two columns', () => {
    let right = 0;
    for (const [row, label] of labels.entries()) {
      const contributions = new Float64Array(WIDTH);
      walkTrees(walkable, table.subarray(row * WIDTH, (row + 1) * WIDTH), contributions);
      if (walkable.roots + contributions.reduce((sum, value) => sum + value, 0) > 0 === (label === 1)) right++;
    }
    expect(right / labels.length).toBeGreaterThan(0.95);
  });

  test('attribute nothing to an uninformative column', () => {
    const contributions = new Float64Array(WIDTH);
    walkTrees(walkable, table.subarray(0, WIDTH), contributions);
    expect(contributions[2]).toBe(0);
  });

  test('are walked to where they end, early ends included', () => {
    const cautious = boost(binColumns(table, WIDTH), labels, weights, { ...options, minChildWeight: 60 });
    expect(cautious.features).toContain(NO_FEATURE);
    for (const one of [trees, cautious]) {
      const { roots } = prepareTrees(one);
      for (let start = 0; start < 400; start += WIDTH) {
        const row = table.subarray(start, start + WIDTH);
        const contributions = new Float64Array(WIDTH);
        walkTrees(prepareTrees(one), row, contributions);
        const walked = roots + contributions.reduce((sum, value) => sum + value, 0);
        expect(walked).toBeCloseTo(outputOf(one, row), 9);
      }
    }
  });

  test('are equal for equal seeds, and differ for others', () => {
    const again = boost(binColumns(table, WIDTH), labels, weights, options);
    expect(again.values).toEqual(trees.values);
    expect(again.thresholds).toEqual(trees.thresholds);
    const other = boost(binColumns(table, WIDTH), labels, weights, { ...options, seed: 2 });
    expect(other.values).not.toEqual(trees.values);
  });

  test('return 0 without a signal in the data', () => {
    const empty = prepareTrees(boost(binColumns(table, WIDTH), labels, new Float32Array(2000), options));
    const contributions = new Float64Array(WIDTH);
    walkTrees(empty, table.subarray(0, WIDTH), contributions);
    expect(Math.abs(empty.roots)).toBe(0);
    expect(contributions).toEqual(new Float64Array(WIDTH));
  });
});
