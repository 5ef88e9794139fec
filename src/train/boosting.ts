import { NO_FEATURE, type Trees } from '#src/lexical/trees.ts';
import { createRandom } from './random.ts';

export interface BoostingOptions {
  readonly trees: number;
  readonly depth: number;
  readonly learningRate: number;
  /** The least sum of curvature in a leaf; with weights of mean 1 about a quarter of the rows in it. */
  readonly minChildWeight: number;
  /** The share of the rows that each tree sees. */
  readonly rowShare: number;
  /** The share of the columns that each tree may split on. */
  readonly columnShare: number;
  readonly lambda: number;
  readonly seed: number;
}

export const BOOSTING_DEFAULTS: BoostingOptions = {
  trees: 250,
  depth: 4,
  learningRate: 0.12,
  minChildWeight: 30,
  rowShare: 0.5,
  columnShare: 0.3,
  lambda: 3,
  seed: 1,
};

/** At most this many steps a column: bins fit into a byte. */
const BINS = 128;

/** Columns of numbers, cut into bins. */
export interface BinnedColumns {
  readonly rows: number;
  /** One array of bin numbers a column. */
  readonly bins: readonly Uint8Array[];
  /** The upper edge of each bin but the last, a column each. */
  readonly cuts: readonly Float32Array[];
  /** The bin that most rows of a column are in, and the rows that are in another, in order. */
  readonly commonBins: Uint8Array;
  readonly otherRows: readonly Uint32Array[];
}

/** Cuts each of `width` columns of a row-major table at quantiles of its values. */
export function binColumns(table: Float32Array, width: number): BinnedColumns {
  const rows = table.length / width;
  const bins: Uint8Array[] = [];
  const cuts: Float32Array[] = [];
  const commonBins = new Uint8Array(width);
  const otherRows: Uint32Array[] = [];
  const stride = Math.max(1, Math.floor(rows / 50_000));
  for (let column = 0; column < width; column++) {
    const sample = new Float32Array(Math.ceil(rows / stride));
    for (let i = 0; i < sample.length; i++) sample[i] = table[i * stride * width + column] ?? 0;
    const edges = quantiles(sample.sort());
    const codes = new Uint8Array(rows);
    for (let row = 0; row < rows; row++) codes[row] = binOf(edges, table[row * width + column] ?? 0);
    bins.push(codes);
    cuts.push(edges);
    const common = mostCommon(codes);
    commonBins[column] = common;
    otherRows.push(Uint32Array.from(codes.keys()).filter((row) => codes[row] !== common));
  }
  return { rows, bins, cuts, commonBins, otherRows };
}

function mostCommon(codes: Uint8Array): number {
  const counts = new Uint32Array(BINS);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts.indexOf(Math.max(...counts));
}

function quantiles(sorted: Float32Array): Float32Array {
  const distinct = sorted.filter((value, index) => index === 0 || value !== sorted[index - 1]);
  const middles = (values: Float32Array) =>
    Float32Array.from({ length: values.length - 1 }, (_, i) => ((values[i] ?? 0) + (values[i + 1] ?? 0)) / 2);
  if (distinct.length <= BINS) return middles(distinct);
  const picks = Float32Array.from(
    { length: BINS - 1 },
    (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / BINS)] ?? 0,
  );
  return picks.filter((value, index) => index === 0 || value !== picks[index - 1]);
}

function binOf(edges: Float32Array, value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (edges[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Boosts trees on the logistic loss, each level by histograms over all rows. The same input gives the same trees. */
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
  const gradients = new Float32Array(rows);
  const curvatures = new Float32Array(rows);
  const place = new Uint8Array(rows);
  for (let tree = 0; tree < options.trees; tree++) {
    for (let row = 0; row < rows; row++) {
      const weight = weights[row] ?? 0;
      const p = 1 / (1 + Math.exp(-(scores[row] ?? 0)));
      const seen = random() < options.rowShare ? weight : 0;
      gradients[row] = (p - (labels[row] ?? 0)) * seen;
      curvatures[row] = p * (1 - p) * seen;
    }
    const used = columns.bins.map((_, column) => column).filter(() => random() < options.columnShare);
    growTree(columns, used, gradients, curvatures, place, options, {
      features: model.features.subarray(tree * inner, (tree + 1) * inner),
      thresholds: model.thresholds.subarray(tree * inner, (tree + 1) * inner),
      values: model.values.subarray(tree * nodes, (tree + 1) * nodes),
    });
    const values = model.values.subarray(tree * nodes, (tree + 1) * nodes);
    for (let row = 0; row < rows; row++) scores[row] = (scores[row] ?? 0) + (values[place[row] ?? 0] ?? 0);
  }
  return model;
}

interface Split {
  gain: number;
  column: number;
  bin: number;
}

function growTree(
  columns: BinnedColumns,
  used: readonly number[],
  gradients: Float32Array,
  curvatures: Float32Array,
  place: Uint8Array,
  options: BoostingOptions,
  tree: Pick<Trees, 'features' | 'thresholds' | 'values'>,
): void {
  place.fill(0);
  const sums = new Float64Array(2 ** (options.depth + 1) * 2);
  for (let row = 0; row < columns.rows; row++) {
    sums[0] = (sums[0] ?? 0) + (gradients[row] ?? 0);
    sums[1] = (sums[1] ?? 0) + (curvatures[row] ?? 0);
  }
  tree.values[0] = leafValue(sums[0] ?? 0, sums[1] ?? 0, options);
  const cutBin = new Uint8Array(2 ** options.depth);
  for (let level = 0; level < options.depth; level++) {
    const first = 2 ** level - 1;
    const width = 2 ** level;
    const best: Split[] = Array.from({ length: width }, () => ({ gain: 1e-9, column: NO_FEATURE, bin: 0 }));
    const histogram = new Float64Array(width * BINS * 2);
    for (const column of used) {
      const binCount = (columns.cuts[column]?.length ?? 0) + 1;
      if (binCount < 2) continue;
      fillHistogram(histogram, columns, column, gradients, curvatures, place, first);
      addCommonBin(histogram, columns.commonBins[column] ?? 0, binCount, sums, first, width);
      for (let node = 0; node < width; node++) {
        const total = 2 * (first + node);
        findSplit(
          histogram,
          node * BINS * 2,
          binCount,
          sums[total] ?? 0,
          sums[total + 1] ?? 0,
          column,
          options,
          best[node],
        );
      }
    }
    for (let node = 0; node < width; node++) {
      const split = best[node];
      if (!split || split.column === NO_FEATURE) continue;
      tree.features[first + node] = split.column;
      tree.thresholds[first + node] = columns.cuts[split.column]?.[split.bin] ?? 0;
      cutBin[node] = split.bin;
    }
    descend(columns, tree.features, cutBin, first, width, gradients, curvatures, place, sums);
    for (let node = first; node < first + width; node++) {
      if (tree.features[node] === NO_FEATURE) continue;
      for (const child of [2 * node + 1, 2 * node + 2]) {
        tree.values[child] = leafValue(sums[2 * child] ?? 0, sums[2 * child + 1] ?? 0, options);
      }
    }
  }
}

/**
 * The hot loop: one walk through a column in memory order, whichever nodes the rows are in. Rows of the common bin are
 * left out: they are most rows of most columns, and adding to one cell again and again is slow.
 */
function fillHistogram(
  histogram: Float64Array,
  columns: BinnedColumns,
  column: number,
  gradients: Float32Array,
  curvatures: Float32Array,
  place: Uint8Array,
  first: number,
): void {
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

/** What the other bins lack of a node's sums is in the common bin. */
function addCommonBin(
  histogram: Float64Array,
  common: number,
  binCount: number,
  sums: Float64Array,
  first: number,
  width: number,
): void {
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

function findSplit(
  histogram: Float64Array,
  base: number,
  binCount: number,
  gradient: number,
  curvature: number,
  column: number,
  { lambda, minChildWeight }: BoostingOptions,
  best: Split | undefined,
): void {
  if (!best || curvature < 2 * minChildWeight) return;
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

/** Moves every row of a level to its child, and sums up the children. */
function descend(
  columns: BinnedColumns,
  features: Uint8Array,
  cutBin: Uint8Array,
  first: number,
  width: number,
  gradients: Float32Array,
  curvatures: Float32Array,
  place: Uint8Array,
  sums: Float64Array,
): void {
  const codes = Array.from({ length: width }, (_, node) => columns.bins[features[first + node] ?? NO_FEATURE] ?? null);
  for (let row = 0; row < columns.rows; row++) {
    const at = place[row] ?? 0;
    const column = at < first ? null : codes[at - first];
    if (!column) continue;
    const child = 2 * at + ((column[row] ?? 0) <= (cutBin[at - first] ?? 0) ? 1 : 2);
    place[row] = child;
    sums[2 * child] = (sums[2 * child] ?? 0) + (gradients[row] ?? 0);
    sums[2 * child + 1] = (sums[2 * child + 1] ?? 0) + (curvatures[row] ?? 0);
  }
}

function leafValue(gradient: number, curvature: number, { lambda, learningRate }: BoostingOptions): number {
  return (-gradient / (curvature + lambda)) * learningRate;
}
