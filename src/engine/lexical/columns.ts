import { FEATURE_COLUMNS } from './features.ts';
import { STACKED_COLUMNS } from './stacked.ts';

/** Columns of a row of the trees: the engineered features, then the outputs of the n-gram models. */
export const COLUMNS: readonly string[] = [...FEATURE_COLUMNS, ...STACKED_COLUMNS];

/** Index of the first stacked column. */
export const STACKED_START = FEATURE_COLUMNS.length;
