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

/** Trees without early ends, so that a walk need not ask at each node whether it ends there. */
export interface WalkableTrees extends Pick<Trees, 'depth' | 'features' | 'thresholds'> {
  /** Sum of the roots' values, in log-odds. */
  readonly roots: number;
  /** Value of each node less that of its parent, in log-odds. A double holds the difference of two floats. */
  readonly steps: Float64Array;
}

/** Prepares trees for {@link walkTrees}: below an early end, each step adds 0. */
export function prepareTrees({ depth, features, thresholds, values }: Trees): WalkableTrees {
  const inner = (1 << depth) - 1;
  const nodes = 2 * inner + 1;
  const complete = features.slice();
  const steps = new Float64Array(values.length);
  let roots = 0;
  for (let first = 0, root = 0; first < features.length; first += inner, root += nodes) {
    roots += values[root] ?? 0;
    for (let node = 0; node < inner; node++) {
      if (features[first + node] === NO_FEATURE) {
        complete[first + node] = 0;
        continue;
      }
      const value = values[root + node] ?? 0;
      const left = root + 2 * node + 1;
      steps[left] = (values[left] ?? 0) - value;
      steps[left + 1] = (values[left + 1] ?? 0) - value;
    }
  }
  return { depth, features: complete, thresholds, roots, steps };
}

/**
 * Adds each step down a path to the step's column in `contributions`, so that the roots plus all contributions are the
 * output of the trees, in log-odds (Saabas, "Interpreting random forests", 2014).
 */
export function walkTrees(
  { depth, features, thresholds, steps }: WalkableTrees,
  row: Float32Array,
  contributions: Float64Array,
): void {
  // Shifts and sums keep the indices integers; a power or a quotient makes them floating-point, twice as slow.
  const inner = (1 << depth) - 1;
  const nodes = 2 * inner + 1;
  let root = 0;
  for (let first = 0; first < features.length; first += inner) {
    let node = 0;
    for (let level = 0; level < depth; level++) {
      const feature = features[first + node] ?? 0;
      // A sum, because the processor predicts every second branch wrongly here.
      node = 2 * node + 2 - Number((row[feature] ?? 0) <= (thresholds[first + node] ?? 0));
      contributions[feature] = (contributions[feature] ?? 0) + (steps[root + node] ?? 0);
    }
    root += nodes;
  }
}
