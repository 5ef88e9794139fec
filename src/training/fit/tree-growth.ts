import { NO_FEATURE, type Trees } from '#src/engine/lexical/trees.ts';
import { BINS, type BinnedColumns } from './binned-columns.ts';
import type { BoostingOptions } from './boosting-options.ts';

/** Input of a tree, and the position of its rows while it grows. */
export interface TreeGrowth {
  readonly columns: BinnedColumns;
  readonly options: BoostingOptions;
  /** First and second derivative of the loss per row; 0 for a row that the tree does not see. */
  readonly gradients: Float32Array;
  readonly curvatures: Float32Array;
  /** Current node of each row. */
  readonly place: Uint8Array;
  /** Sums of gradient and curvature, two numbers per node. */
  readonly sums: Float64Array;
}

/** Level of a tree: the nodes `first` to `first + width − 1`. */
interface Level {
  readonly first: number;
  readonly width: number;
}

interface Split {
  gain: number;
  column: number;
  bin: number;
}

/** Grows one tree level by level on the columns in `used`; `place` then has the leaf of each row. */
export function growTree(
  growth: TreeGrowth,
  used: readonly number[],
  tree: Pick<Trees, 'features' | 'thresholds' | 'values'>,
): void {
  const { columns, options } = growth;
  startAtRoot(growth);
  tree.values[0] = leafValue(growth, 0);
  for (let depth = 0; depth < options.depth; depth++) {
    const level = { first: 2 ** depth - 1, width: 2 ** depth };
    const splits = findSplits(growth, used, level);
    for (const [node, split] of splits.entries()) {
      if (split.column === NO_FEATURE) continue;
      tree.features[level.first + node] = split.column;
      tree.thresholds[level.first + node] = columns.cuts[split.column]?.[split.bin] ?? 0;
    }
    descend(growth, splits, level);
    for (const [node, split] of splits.entries()) {
      const child = 2 * (level.first + node) + 1;
      if (split.column === NO_FEATURE) continue;
      tree.values[child] = leafValue(growth, child);
      tree.values[child + 1] = leafValue(growth, child + 1);
    }
  }
}

function startAtRoot({ columns, gradients, curvatures, place, sums }: TreeGrowth): void {
  place.fill(0);
  sums.fill(0);
  let gradient = 0;
  let curvature = 0;
  for (let row = 0; row < columns.rows; row++) {
    gradient += gradients[row] ?? 0;
    curvature += curvatures[row] ?? 0;
  }
  sums[0] = gradient;
  sums[1] = curvature;
}

function findSplits(growth: TreeGrowth, used: readonly number[], level: Level): Split[] {
  const splits: Split[] = Array.from({ length: level.width }, () => ({ gain: 1e-9, column: NO_FEATURE, bin: 0 }));
  const histogram = new Float64Array(level.width * BINS * 2);
  for (const column of used) {
    const binCount = (growth.columns.cuts[column]?.length ?? 0) + 1;
    if (binCount < 2) continue;
    fillHistogram(growth, column, level, histogram);
    addCommonBin(growth, column, binCount, level, histogram);
    for (const [node, split] of splits.entries())
      improveSplit(growth, column, binCount, histogram, level.first, node, split);
  }
  return splits;
}

/**
 * Hot loop: one pass through a column in memory order, for all nodes. Rows of the common bin are skipped: they are most
 * rows of most columns, and repeated additions to one cell are slow.
 */
function fillHistogram(growth: TreeGrowth, column: number, { first }: Level, histogram: Float64Array): void {
  const { columns, gradients, curvatures, place } = growth;
  histogram.fill(0);
  const codes = columns.bins[column];
  const rows = columns.otherRows[column];
  if (!codes || !rows) return;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const node = (place[row] ?? 0) - first;
    if (node < 0) continue;
    const cell = (node * BINS + (codes[row] ?? 0)) * 2;
    histogram[cell] = (histogram[cell] ?? 0) + (gradients[row] ?? 0);
    histogram[cell + 1] = (histogram[cell + 1] ?? 0) + (curvatures[row] ?? 0);
  }
}

/** Sets the common bin to the difference between a node's sums and the other bins. */
function addCommonBin(
  { columns, sums }: TreeGrowth,
  column: number,
  binCount: number,
  { first, width }: Level,
  histogram: Float64Array,
) {
  const common = columns.commonBins[column] ?? 0;
  for (let node = 0; node < width; node++) {
    const base = node * BINS * 2;
    let g = sums[2 * (first + node)] ?? 0;
    let h = sums[2 * (first + node) + 1] ?? 0;
    for (let bin = 0; bin < binCount; bin++) {
      g -= histogram[base + 2 * bin] ?? 0;
      h -= histogram[base + 2 * bin + 1] ?? 0;
    }
    histogram[base + 2 * common] = g;
    histogram[base + 2 * common + 1] = h;
  }
}

/** Searches the cuts of one column for a better split of a node than the best so far. */
function improveSplit(
  { options, sums }: TreeGrowth,
  column: number,
  binCount: number,
  histogram: Float64Array,
  first: number,
  node: number,
  best: Split,
): void {
  const { lambda, minChildWeight } = options;
  const gradient = sums[2 * (first + node)] ?? 0;
  const curvature = sums[2 * (first + node) + 1] ?? 0;
  if (curvature < 2 * minChildWeight) return;
  const base = node * BINS * 2;
  const whole = (gradient * gradient) / (curvature + lambda);
  let g = 0;
  let h = 0;
  for (let bin = 0; bin < binCount - 1; bin++) {
    g += histogram[base + 2 * bin] ?? 0;
    h += histogram[base + 2 * bin + 1] ?? 0;
    if (h < minChildWeight) continue;
    const rest = curvature - h;
    if (rest < minChildWeight) break;
    const gain = (g * g) / (h + lambda) + (gradient - g) ** 2 / (rest + lambda) - whole;
    if (gain <= best.gain) continue;
    best.gain = gain;
    best.column = column;
    best.bin = bin;
  }
}

/** Moves every row of a level to its child, and updates the children's sums. */
function descend(growth: TreeGrowth, splits: readonly Split[], { first }: Level): void {
  const { columns, gradients, curvatures, place, sums } = growth;
  const codes = splits.map(({ column }) => columns.bins[column] ?? null);
  const cuts = Uint8Array.from(splits, ({ bin }) => bin);
  for (let row = 0; row < columns.rows; row++) {
    const at = place[row] ?? 0;
    const column = at < first ? null : codes[at - first];
    if (!column) continue;
    const child = 2 * at + ((column[row] ?? 0) <= (cuts[at - first] ?? 0) ? 1 : 2);
    place[row] = child;
    sums[2 * child] = (sums[2 * child] ?? 0) + (gradients[row] ?? 0);
    sums[2 * child + 1] = (sums[2 * child + 1] ?? 0) + (curvatures[row] ?? 0);
  }
}

function leafValue({ options, sums }: TreeGrowth, node: number): number {
  const { lambda, learningRate } = options;
  return (-(sums[2 * node] ?? 0) / ((sums[2 * node + 1] ?? 0) + lambda)) * learningRate;
}
