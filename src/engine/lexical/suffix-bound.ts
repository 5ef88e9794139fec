import { type HashTable, lookUp } from './hash-table.ts';
import { hashText } from './text-hash.ts';

/**
 * Amount subtracted from the score of every URL under a suffix or platform, so that none is suspicious by that alone: 1
 * + 20 × log-odds.
 */
export type SuffixBounds = HashTable;

const STEPS = 20;

/** Returns the amount for a suffix in log-odds, from 0 to 12.7; 0 for a model without bounds. */
export function suffixBound(bounds: SuffixBounds | null, suffix: string): number {
  return bounds === null ? 0 : Math.max(0, lookUp(bounds, hashText(suffix)) - 1) / STEPS;
}

/** Returns the value in {@link SuffixBounds} of an amount in log-odds. */
export function suffixBoundCode(logOdds: number): number {
  return Math.min(255, 1 + Math.ceil(logOdds * STEPS));
}
