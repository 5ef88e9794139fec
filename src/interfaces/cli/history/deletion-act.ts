import type { ActPlace, OperatorAct } from '#src/admin/audit/act.ts';
import type { DeletionTarget, RecordedDeletion } from '#src/checks/store/deletions/deletion-target.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** Checks to delete, and how many there are. */
interface CountedDeletion {
  readonly visibility: Visibility;
  readonly criterion: DeletionTarget;
  readonly count: number;
}

/** An installation with the deletions of a log. */
interface DeletionPlace extends ActPlace {
  readonly backend: Pick<DeletionBackend, 'remove'>;
}

/** Deletes checks from a log and all files. */
export const DELETE_HISTORY: OperatorAct<
  CountedDeletion,
  CountedDeletion,
  Awaited<ReturnType<DeletionBackend['remove']>>,
  DeletionPlace
> = {
  name: 'history.delete',
  scope: 'admin',
  input: null,
  files: [],
  prepare: async (deletion) => deletion,
  audit: ({ visibility, criterion: { by }, count }) => ({
    subject: null,
    detail: { log: visibility, by, checks: count },
  }),
  commit: async ({ criterion }, { backend }) => await backend.remove(criterion),
};

/** Deletions from one log, in a file or a database. */
export interface DeletionBackend extends AsyncDisposable {
  /** Returns the number of checks that a deletion would remove. */
  count(criterion: DeletionTarget): Promise<number>;
  /** Asks for a deletion, and waits until it is done or cannot be. */
  remove(criterion: DeletionTarget): Promise<DeletionOutcome>;
  /** All that were asked for, oldest first. */
  all(): Promise<readonly RecordedDeletion[]>;
  /** Returns the hash that records a word. */
  hashOf(wanted: string): Buffer;
}

/** Result of a deletion. */
interface DeletionOutcome {
  /** The deletion in its current state; null if it does not exist. */
  readonly deletion: RecordedDeletion | null;
  /** Why it is unfinished or unconfirmed by the nodes, in sentences; null if it is done or the reason is unknown. */
  readonly problem: string | null;
  /** Further notes to the operator, in sentences. */
  readonly notes: readonly string[];
}
