import { sigmoid } from '#src/core/base/log-odds.ts';
import { NO_FEATURE, type Trees } from '#src/engine/lexical/trees.ts';
import { createRandom } from '../data/random.ts';
import type { BinnedColumns } from './binned-columns.ts';
import type { BoostingOptions } from './boosting-options.ts';
import { growTree, type TreeGrowth } from './tree-growth.ts';

/** Boosts trees on the logistic loss, each level by histograms over all rows. Deterministic. */
export function boost(
  columns: BinnedColumns,
  labels: Uint8Array,
  weights: Float32Array,
  options: BoostingOptions,
): Trees {
  const { rows } = columns;
  const { depth } = options;
  const inner = 2 ** depth - 1;
  const nodes = 2 * inner + 1;
  const model = {
    depth,
    features: new Uint8Array(options.trees * inner).fill(NO_FEATURE),
    thresholds: new Float32Array(options.trees * inner),
    values: new Float32Array(options.trees * nodes),
  };
  const random = createRandom(options.seed);
  const scores = new Float64Array(rows);
  const growth: TreeGrowth = {
    columns,
    options,
    gradients: new Float32Array(rows),
    curvatures: new Float32Array(rows),
    place: new Uint8Array(rows),
    sums: new Float64Array(2 * nodes),
  };
  for (let tree = 0; tree < options.trees; tree++) {
    for (let row = 0; row < rows; row++) {
      const p = sigmoid(scores[row] ?? 0);
      const weight = random() < options.rowShare ? (weights[row] ?? 0) : 0;
      growth.gradients[row] = (p - (labels[row] ?? 0)) * weight;
      growth.curvatures[row] = p * (1 - p) * weight;
    }
    const used = columns.bins.map((_, column) => column).filter(() => random() < options.columnShare);
    const values = model.values.subarray(tree * nodes, (tree + 1) * nodes);
    growTree(growth, used, {
      features: model.features.subarray(tree * inner, (tree + 1) * inner),
      thresholds: model.thresholds.subarray(tree * inner, (tree + 1) * inner),
      values,
    });
    for (let row = 0; row < rows; row++) scores[row] = (scores[row] ?? 0) + (values[growth.place[row] ?? 0] ?? 0);
  }
  return model;
}
