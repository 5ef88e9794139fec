/** Maximum number of bins per column, so that a bin fits into a byte. */
export const BINS = 128;

/** Columns of numbers, divided into bins. */
export interface BinnedColumns {
  readonly rows: number;
  /** Bin of each row, one array per column. */
  readonly bins: readonly Uint8Array[];
  /** Upper edge of each bin but the last, per column. */
  readonly cuts: readonly Float32Array[];
  /** Most frequent bin of each column, and the rows in other bins, in order. */
  readonly commonBins: Uint8Array;
  readonly otherRows: readonly Uint32Array[];
}

/** Divides each of `width` columns of a row-major table at quantiles of its values. */
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
    otherRows.push(rowsOutside(codes, common));
  }
  return { rows, bins, cuts, commonBins, otherRows };
}

function rowsOutside(codes: Uint8Array, common: number): Uint32Array {
  const others = new Uint32Array(codes.reduce((count, code) => count + (code === common ? 0 : 1), 0));
  let size = 0;
  for (let row = 0; row < codes.length; row++) if (codes[row] !== common) others[size++] = row;
  return others;
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
