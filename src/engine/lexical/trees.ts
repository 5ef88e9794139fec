/** A sum of complete binary trees of one depth, node by node: the children of node i are 2i + 1 and 2i + 2. */
export interface Trees {
  readonly depth: number;
  /** Column that an inner node tests; 255 if the tree ends early. */
  readonly features: Uint8Array;
  /** An inner node sends values up to its threshold to the left. */
  readonly thresholds: Float32Array;
  /**
   * Value of each node as if the tree ended there, inner nodes included, so that each step is attributed to a column.
   */
  readonly values: Float32Array;
}

/** Marks a node without children. */
export const NO_FEATURE = 255;

/**
 * Returns the sum of the roots' values. Each step down a path adds the difference of two nodes to the step's column in
 * `contributions`, so that the returned value plus all contributions is the output of the trees, in log-odds (Saabas,
 * "Interpreting random forests", 2014).
 */
export function walkTrees(trees: Trees, row: Float32Array, contributions: Float64Array): number {
  const { depth, features, thresholds, values } = trees;
  // Shifts and sums keep the indices integers; a power or a quotient makes them floating-point, twice as slow.
  const inner = (1 << depth) - 1;
  const nodes = 2 * inner + 1;
  let valueBase = 0;
  let roots = 0;
  for (let innerBase = 0; innerBase < features.length; innerBase += inner) {
    let node = 0;
    let value = values[valueBase] ?? 0;
    roots += value;
    for (let level = 0; level < depth; level++) {
      const feature = features[innerBase + node] ?? NO_FEATURE;
      if (feature === NO_FEATURE) break;
      // A sum, because the processor predicts every second branch wrongly here.
      node = 2 * node + 2 - Number((row[feature] ?? 0) <= (thresholds[innerBase + node] ?? 0));
      const next = values[valueBase + node] ?? 0;
      contributions[feature] = (contributions[feature] ?? 0) + (next - value);
      value = next;
    }
    valueBase += nodes;
  }
  return roots;
}
