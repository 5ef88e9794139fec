import type { Row } from '../data/dataset.ts';
import { MOVED_NAMES } from '../data/moved-names.ts';
import { SIGN_IN_SOURCES } from '../data/sign-in-paths.ts';

/**
 * Maximum share of a source in the weight of all benign rows: for a source that contains only feeds; and for sign-in paths,
 * which with an ordinary weight hide a third of what is blocked at such addresses.
 */
const MAX_SHARES: Readonly<Record<string, number>> = { kagi_smallweb: 0.05, [SIGN_IN_SOURCES.known]: 0.008 };

/**
 * Returns the weight of each row. A benign source counts as the square root of its size; phishing rows are equal. Within a
 * class, bare hosts together weigh as much as URLs with a path, unless `balanceBare` is false. The classes are equal, and
 * the mean weight is 1.
 */
export function rowWeights(rows: readonly Row[], balanceBare = true): Float32Array {
  const sizes = new Map<string, number>();
  for (const row of rows) sizes.set(row.source, (sizes.get(row.source) ?? 0) + 1);
  const raw = rows.map((row) => (row.phishing ? 1 : 1 / Math.sqrt(sizes.get(row.source) ?? 1)));
  sizes.delete(MOVED_NAMES);
  const benign = [...sizes].filter(([source]) => rows.some((row) => !row.phishing && row.source === source));
  const total = benign.reduce((sum, [, size]) => sum + Math.sqrt(size), 0);
  const damps = new Map(
    benign.map(([source, size]) => [source, Math.min(1, ((MAX_SHARES[source] ?? 1) * total) / Math.sqrt(size))]),
  );
  // Moved names are estimated in numbers of sites; each weighs as much as the mean of the others.
  const collected = rows.reduce((sum, { phishing, source }) => sum + (phishing || source === MOVED_NAMES ? 0 : 1), 0);
  const groupOf = (row: Row) => (row.phishing ? 2 : 0) + (balanceBare && row.bare ? 1 : 0);
  const groups = new Float64Array(4);
  for (const [index, row] of rows.entries()) {
    if (row.source === MOVED_NAMES) raw[index] = total / Math.max(1, collected);
    else if (!row.phishing) raw[index] = (raw[index] ?? 0) * (damps.get(row.source) ?? 1);
    const group = groupOf(row);
    groups[group] = (groups[group] ?? 0) + (raw[index] ?? 0);
  }
  const present = groups.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
  return Float32Array.from(
    rows,
    (row, index) => ((raw[index] ?? 0) / (groups[groupOf(row)] ?? 1)) * (rows.length / present),
  );
}
