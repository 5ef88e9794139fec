import type { DeletionTarget, RecordedDeletion } from '#src/checks/store/deletions/deletion-target.ts';

/** Where deletions from one log are asked for, whatever that is kept in. */
export interface DeletionBackend extends AsyncDisposable {
  /** How many checks a deletion would take. */
  count(criterion: DeletionTarget): Promise<number>;
  /** Asks for a deletion, and waits until it is done or cannot be. */
  remove(criterion: DeletionTarget): Promise<DeletionOutcome>;
  /** All that were asked for, oldest first. */
  all(): Promise<readonly RecordedDeletion[]>;
  /** What stands for a word in the record. */
  hashOf(wanted: string): Buffer;
}

/** What came of a deletion. */
export interface DeletionOutcome {
  /** As it stands; null where there is none. */
  readonly deletion: RecordedDeletion | null;
  /** Why it is not done, or not confirmed by the nodes, in sentences; null if it is, or if nobody knows. */
  readonly problem: string | null;
  /** What the operator should know beside it, in sentences. */
  readonly notes: readonly string[];
}
