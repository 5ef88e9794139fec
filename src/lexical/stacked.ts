import { NGRAM_FIELDS } from './ngrams.ts';
import { slotsOf } from './slots.ts';

const TOTALS = ['ngrams_host', 'ngrams_behind_host', 'ngrams_all'] as const;

/** The n-gram model's answers as columns of the trees: each field's sum, then the sums of host, path and all. */
export const STACKED_COLUMNS: readonly string[] = [...NGRAM_FIELDS.map((field) => `ngrams_${field}`), ...TOTALS];

const FIELD = slotsOf(NGRAM_FIELDS);
const TOTAL = slotsOf(TOTALS);

/** Writes {@link STACKED_COLUMNS} into `out` from `at` on; `sums` is in the order of {@link NGRAM_FIELDS}. */
export function stackSums(sums: Float64Array, out: Float32Array, at: number): void {
  const of = (field: keyof typeof FIELD) => sums[FIELD[field]] ?? 0;
  out.set(sums, at);
  const host = of('label') + of('subdomain') + of('suffix') + of('shape') + of('cross');
  const behind = of('path') + of('query');
  const totals = at + NGRAM_FIELDS.length;
  out[totals + TOTAL.ngrams_host] = host;
  out[totals + TOTAL.ngrams_behind_host] = behind;
  out[totals + TOTAL.ngrams_all] = host + behind + of('words') + of('pairs');
}
