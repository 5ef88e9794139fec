import type { HashTable } from './hash-table.ts';
import type { NameGrams } from './name-grams.ts';

/** The tables that features are looked up in; `train` derives them, the model file carries them. */
export interface FeatureTables {
  /** How much more often names under a suffix are phishing, in log-odds: (value − 128) / 20. */
  readonly suffixPrior: HashTable;
  /** How many sites were seen under a suffix: value = 1 + 8 log₂(1 + n), at most 255. */
  readonly suffixCount: HashTable;
  /** Names of popular sites without their suffix: 1 + log₂(rank). */
  readonly popularLabels: HashTable;
  /** Words that many sites use, of whatever kind: 1. */
  readonly words: HashTable;
  readonly nameGrams: NameGrams;
}
