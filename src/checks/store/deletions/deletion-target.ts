/** What a deletion can go by. */
export const CRITERIA = ['id', 'domain', 'before'] as const;

/** Which checks of a log are to be deleted. */
export interface Deletable {
  readonly by: (typeof CRITERIA)[number];
  /** A request id; a domain as `domainKey` gives it, for all hosts that end in it; or a moment in ISO 8601, for all that began before. */
  readonly wanted: string;
}

/** What the record of deletions has of one, whatever the log is kept in. */
export interface RecordedDeletion {
  readonly askedAtMs: number;
  readonly by: Deletable['by'];
  /** Null once all is deleted, but for a moment. */
  readonly wanted: string | null;
  readonly wantedHash: Buffer;
  /** How many checks have gone. */
  readonly removed: number;
  /** Null until all have. */
  readonly doneAtMs: number | null;
}
