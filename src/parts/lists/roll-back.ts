import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { ListState, PreviousLists, StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { type ListChanged, NO_EFFECT } from './list-change.ts';

/** State of the lists after a rollback. */
export interface RolledBack {
  readonly lists: readonly StoredVersion[];
  readonly before: readonly PreviousLists[];
  readonly changed: readonly ListChanged[];
  /** Totals for the history. */
  readonly totals: Pick<StoredVersion, 'entries' | 'quarantined'>;
}

/**
 * Returns the lists before the last change of one of them, or of any. Repeated calls go further back, as far as the history
 * reaches. Changes of others to other lists stay.
 *
 * @throws OperationError if there is nothing to roll back, or another owner made the change
 */
export function rolledBack(state: ListState, name: string | null, by: string): RolledBack {
  const { lists, before } = name === null ? allBack(state, by) : oneBack(state, name, by);
  const names = [...new Set([...state.lists, ...lists].map((list) => list.name))];
  const changed = names.flatMap((list) => {
    const [old, next] = [versionIn(state.lists, list), versionIn(lists, list)];
    return old?.sha256 === next?.sha256 && old?.action === next?.action ? [] : [changeOf(list, old, next)];
  });
  const selected = name === null ? lists : lists.filter((list) => list.name === name);
  const total = (of: 'entries' | 'quarantined') => selected.reduce((sum, list) => sum + list[of], 0);
  return { lists, before, changed, totals: { entries: total('entries'), quarantined: total('quarantined') } };
}

function allBack({ before }: ListState, by: string): Pick<ListState, 'lists' | 'before'> {
  const [last, ...earlier] = before;
  if (!last) throw new OperationError('nothing_to_roll_back', ['there is no change of the lists to roll back']);
  refuseForeign(last, by);
  return { lists: last.lists, before: earlier };
}

/** Removes the change from the history as well, so that the next rollback reverts another one. */
function oneBack({ lists, before }: ListState, name: string, by: string): Pick<ListState, 'lists' | 'before'> {
  const now = versionIn(lists, name);
  const place = before.findIndex((state) => !Bun.deepEquals(versionIn(state.lists, name), now));
  const found = before[place];
  if (!found) throw new OperationError('nothing_to_roll_back', [`there is no change of the list ${name} to roll back`]);
  refuseForeign(found, by);
  const version = versionIn(found.lists, name);
  const withoutIt = before.map((state, at) =>
    at < place ? { ...state, lists: replaced(state.lists, name, version) } : state,
  );
  const next = replaced(lists, name, version);
  // The state before the change may have moved to the next version meanwhile.
  return {
    lists: next,
    before: withoutIt.filter(
      (state, at) => !Bun.deepEquals(state.lists, at === 0 ? next : (withoutIt[at - 1]?.lists ?? [])),
    ),
  };
}

function refuseForeign({ changed_by: who }: PreviousLists, by: string): void {
  if (who === by) return;
  throw new OperationError('list_refused', [`its last change was made by ${who} and cannot be rolled back by ${by}`]);
}

function versionIn(lists: readonly StoredVersion[], name: string): StoredVersion | null {
  return lists.find((list) => list.name === name) ?? null;
}

function replaced(lists: readonly StoredVersion[], name: string, version: StoredVersion | null): StoredVersion[] {
  const others = lists.filter((list) => list.name !== name);
  return (version ? [...others, version] : others).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function changeOf(list: string, old: StoredVersion | null, next: StoredVersion | null): ListChanged {
  const { entries = 0, quarantined = 0 } = next ?? {};
  return { list, what: 'rollback', entriesBefore: old?.entries ?? 0, ...NO_EFFECT, entries, quarantined };
}
