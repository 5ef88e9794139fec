/** What a thread beside the serving one does with the log file at `path`. */
export interface FileTask {
  /**
   * `checkpoint` moves commits into the file; `restart` moves the last of them and lets the write-ahead log begin anew, in
   * the room that it has, for which writers have to hold still; `quick_check` looks for damage; `vacuum` writes the file
   * anew, without what deleted rows left between others; `trial` writes as a check does, but nothing new.
   */
  readonly kind: 'checkpoint' | 'restart' | 'quick_check' | 'vacuum' | 'trial';
  readonly path: string;
}

/** What came of a task. */
export interface FileAnswer {
  /** What went wrong, or the damage that was found; null where there is nothing to say. */
  readonly problem: string | null;
  /** What SQLite or the system call the problem; null where neither does. */
  readonly code: string | null;
  /** Length of the write-ahead log after a checkpoint; 0 after every other task. */
  readonly walPages: number;
}
