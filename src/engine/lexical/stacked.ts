import type { NgramScores } from './ngram-model.ts';
import { SUMMED_FIELDS } from './ngrams.ts';
import { slotsOf } from './slots.ts';

const TOTALS = ['ngrams_host', 'ngrams_behind_host', 'ngrams_all', 'ngrams_path_alone'] as const;

/**
 * Outputs of the n-gram models as columns of the trees: the sum of each field, the sums of host, path and all, and the
 * model of paths.
 */
export const STACKED_COLUMNS: readonly string[] = [...SUMMED_FIELDS.map((field) => `ngrams_${field}`), ...TOTALS];

const FIELD = slotsOf(SUMMED_FIELDS);
const TOTAL = slotsOf(TOTALS);

/** Writes {@link STACKED_COLUMNS} into `out` from `at` on. */
export function stackScores({ sums, pathAlone }: NgramScores, out: Float32Array, at: number): void {
  const of = (field: keyof typeof FIELD) => sums[FIELD[field]] ?? 0;
  out.set(sums, at);
  const host = of('label') + of('subdomain') + of('suffix') + of('shape') + of('cross');
  const behind = of('path') + of('query');
  const totals = at + SUMMED_FIELDS.length;
  out[totals + TOTAL.ngrams_host] = host;
  out[totals + TOTAL.ngrams_behind_host] = behind;
  out[totals + TOTAL.ngrams_all] = host + behind + of('words') + of('pairs');
  out[totals + TOTAL.ngrams_path_alone] = pathAlone;
}
