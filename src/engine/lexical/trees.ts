/** A sum of complete binary trees of one depth, node by node: the children of node i are 2i + 1 and 2i + 2. */
export interface Trees {
  readonly depth: number;
  /** The column that an inner node looks at; 255 where the tree ends early. */
  readonly features: Uint8Array;
  /** An inner node sends values up to its threshold to the left. */
  readonly thresholds: Float32Array;
  /** What a node would answer if the tree ended there, inner nodes too: steps between them say which column did what. */
  readonly values: Float32Array;
}

/** Marks a node that has no children. */
export const NO_FEATURE = 255;

/**
 * The answer of all trees for one row, in log-odds. Each step down a path moves the answer by the difference of two
 * nodes, which is added to the step's column in `contributions`; the roots' values are returned, so that the returned
 * value plus all contributions is the answer (Saabas, "Interpreting random forests", 2014).
 */
export function walkTrees(trees: Trees, row: Float32Array, contributions: Float64Array): number {
  const { depth, features, thresholds, values } = trees;
  // Shifts and sums keep the places whole numbers; a power or a quotient makes them floating-point, twice as slow.
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
      node = 2 * node + ((row[feature] ?? 0) <= (thresholds[innerBase + node] ?? 0) ? 1 : 2);
      const next = values[valueBase + node] ?? 0;
      contributions[feature] = (contributions[feature] ?? 0) + (next - value);
      value = next;
    }
    valueBase += nodes;
  }
  return roots;
}
