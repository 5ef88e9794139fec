import type { Remains } from './residue.ts';

/** What a thread beside the serving one does with the log file at `path`. */
export interface FileTask {
  /**
   * `checkpoint` moves commits into the file; `restart` moves the last of them and lets the write-ahead log begin anew, in
   * the room that it has, for which writers have to hold still, and `truncate` gives back that room too; `quick_check` looks
   * for damage; `trial` writes as a check does, but nothing new.
   */
  readonly kind: 'checkpoint' | 'restart' | 'truncate' | 'quick_check' | 'trial';
  readonly path: string;
}

/** Looks from `fromPage` on for what deleted rows left behind where other rows lie. */
export interface FindTask {
  readonly kind: 'find_remains';
  readonly path: string;
  readonly fromPage: number;
}

/** Overwrites what {@link FindTask} found, for which writers have to hold still. */
export interface WipeTask {
  readonly kind: 'wipe_remains';
  readonly path: string;
  readonly pages: readonly number[];
}

/** All that the thread does. */
export type AnyFileTask = FileTask | FindTask | WipeTask;

/** What came of a task. */
export interface FileAnswer {
  /** What went wrong, or the damage that was found; null where there is nothing to say. */
  readonly problem: string | null;
  /** What SQLite or the system call the problem; null where neither does. */
  readonly code: string | null;
  /** Length of the write-ahead log after a checkpoint; 0 after every other task. */
  readonly walPages: number;
  /** What a {@link FindTask} found; null after every other task. */
  readonly remains: Remains | null;
}
