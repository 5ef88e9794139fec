import type { Row } from '../data/dataset.ts';

/** The feed addresses of one source, however many they are, weigh at most this share of all benign rows. */
const FEED_SHARE = 0.05;

/**
 * What each row weighs: a benign source counts as the square root of its size, phishing rows are equal, and within a
 * class the bare hosts together weigh as much as the URLs with a path (unless `balanceBare` is false). The classes are equal, the mean weight is 1.
 */
export function rowWeights(rows: readonly Row[], balanceBare = true): Float32Array {
  const sizes = new Map<string, number>();
  for (const row of rows) sizes.set(row.source, (sizes.get(row.source) ?? 0) + 1);
  const raw = rows.map((row) => (row.phishing ? 1 : 1 / Math.sqrt(sizes.get(row.source) ?? 1)));
  const benign = [...sizes].filter(([source]) => rows.some((row) => !row.phishing && row.source === source));
  const total = benign.reduce((sum, [, size]) => sum + Math.sqrt(size), 0);
  const feeds = Math.sqrt(sizes.get('kagi_smallweb') ?? 0);
  const damp = feeds > total * FEED_SHARE ? (total * FEED_SHARE) / feeds : 1;
  const groupOf = (row: Row) => (row.phishing ? 2 : 0) + (balanceBare && row.bare ? 1 : 0);
  const groups = new Float64Array(4);
  for (const [index, row] of rows.entries()) {
    if (row.source === 'kagi_smallweb') raw[index] = (raw[index] ?? 0) * damp;
    const group = groupOf(row);
    groups[group] = (groups[group] ?? 0) + (raw[index] ?? 0);
  }
  const present = groups.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
  return Float32Array.from(
    rows,
    (row, index) => ((raw[index] ?? 0) / (groups[groupOf(row)] ?? 1)) * (rows.length / present),
  );
}
