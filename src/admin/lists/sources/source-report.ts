/** The state of a scheduled list source. */
export interface SourceReport {
  /** Name of its list. */
  readonly name: string;
  /** Last attempt, ISO 8601 UTC; null before the first. */
  readonly tried_at: string | null;
  /** Last success; null before the first. */
  readonly renewed_at: string | null;
  /** Next attempt; null for a file, which is read whenever it changes. */
  readonly next_at: string | null;
  /** Why the last attempt failed, as a predicate; null if it succeeded. */
  readonly problem: string | null;
}
