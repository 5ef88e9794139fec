import type { LogFile } from '../file/log-file.ts';

/**
 * Deletes some checks, `limit` at most, inside the transaction of the caller, with all that is counted and indexed of them.
 * Returns their number, which may be 0; null once nothing is left to delete.
 */
export type RemoveSome = (limit: number) => number | null;

/** What is to be removed from a log. */
export interface Removal {
  /** Prepares the statements. */
  readonly prepare: (log: LogFile) => RemoveSome;
  /** Whether the check with this id is meant. */
  readonly takes: (id: number) => boolean;
  /** Called when all of it is gone, without a trace in any file. */
  readonly whenGone?: () => void;
}
