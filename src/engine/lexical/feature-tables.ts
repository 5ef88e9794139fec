import type { HashTable } from './hash-table.ts';
import type { NameGrams } from './name-grams.ts';

/** Lookup tables of features; `train` derives them, and the model file contains them. */
export interface FeatureTables {
  /** Excess of phishing among names under a suffix, in log-odds: (value − 128) / 20. */
  readonly suffixPrior: HashTable;
  /** Number of known sites under a suffix: value = 1 + 8 log₂(1 + n), at most 255. */
  readonly suffixCount: HashTable;
  /** Names of popular sites without their suffix: 1 + log₂(rank). */
  readonly popularLabels: HashTable;
  /** Words that many sites use: 1. */
  readonly words: HashTable;
  readonly nameGrams: NameGrams;
}
