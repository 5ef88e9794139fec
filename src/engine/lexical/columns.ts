import { FEATURE_COLUMNS } from './features.ts';
import { STACKED_COLUMNS } from './stacked.ts';

/** The columns of a row that the trees look at: the engineered features, then what the n-gram model says. */
export const COLUMNS: readonly string[] = [...FEATURE_COLUMNS, ...STACKED_COLUMNS];

/** Where the stacked columns begin. */
export const STACKED_START = FEATURE_COLUMNS.length;
