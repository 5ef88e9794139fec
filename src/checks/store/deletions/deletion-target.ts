/** Criteria of a deletion. */
export const CRITERIA = ['id', 'domain', 'before'] as const;

/** Selects the checks that a deletion removes. */
export interface DeletionTarget {
  readonly by: (typeof CRITERIA)[number];
  /**
   * A request id; a domain as `domainKey` returns it, for all hosts that end in it; or a moment in ISO 8601, for all
   * checks that began before.
   */
  readonly wanted: string;
}

/** A recorded deletion, in a file or a database. */
export interface RecordedDeletion {
  readonly askedAtMs: number;
  readonly by: DeletionTarget['by'];
  /** Null once the deletion is done, except for a moment. */
  readonly wanted: string | null;
  readonly wantedHash: Buffer;
  /** Checks removed so far. */
  readonly removed: number;
  /** Null until the deletion is done. */
  readonly doneAtMs: number | null;
}
