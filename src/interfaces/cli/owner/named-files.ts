/** The user and the group of a data directory. */
export interface DirectoryOwner {
  readonly uid: number;
  readonly gid: number;
}

/** The files that an invocation names and opens beside the data directory. */
export interface FileOperands {
  /** Files, streams or folders that are read. */
  readonly reads?: readonly (string | undefined)[];
  /** True if what is read is read to its end before anything is done, so that it must have one. */
  readonly isReadWhole?: boolean;
  /** Files that are written, whole or not at all. */
  readonly writes?: readonly (string | undefined)[];
  /** True if {@link writes} must not exist. */
  readonly isNew?: boolean;
}

/** Paths of the operator's files for this process. */
export interface OperatorFiles {
  /** Returns the path by which to open a file that was named. */
  resolvePath(path: string): string;
  /** Moves the written files to their destination. */
  finish(): Promise<void>;
  /** Deletes what was written and not moved. */
  discard(): void;
}

/** Paths of a process that keeps its rights: unchanged. */
export const ORIGINAL_PATHS: OperatorFiles = { resolvePath: (path) => path, finish: async () => {}, discard: () => {} };
