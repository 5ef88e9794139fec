import type { ActPlace, OperatorAct } from '#src/admin/audit/act.ts';
import type { DeletionTarget } from '#src/checks/store/deletions/deletion-target.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { DeletionBackend } from './deletion-backend.ts';

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
