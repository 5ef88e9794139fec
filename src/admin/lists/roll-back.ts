import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { type ListChanged, NO_LINES } from './list-change.ts';
import type { EarlierLists, KeptVersion, ListState } from '#src/network/lists/stored/list-state.ts';

/** What the lists are after a change was taken back. */
export interface RolledBack {
  readonly lists: readonly KeptVersion[];
  readonly before: readonly EarlierLists[];
  readonly changed: readonly ListChanged[];
  /** What is remembered of it. */
  readonly totals: Pick<KeptVersion, 'entries' | 'quarantined'>;
}

/**
 * The lists as they were before the last change of one of them, or of any; so again and again, as far back as is kept. The
 * changes of others to other lists stay.
 *
 * @throws SettingsError where there is nothing to take back, or somebody else did it.
 */
export function rolledBack(state: ListState, name: string | null, by: string): RolledBack {
  const { lists, before } = name === null ? allBack(state, by) : oneBack(state, name, by);
  const names = [...new Set([...state.lists, ...lists].map((list) => list.name))];
  const changed = names.flatMap((list) => {
    const [old, next] = [versionIn(state.lists, list), versionIn(lists, list)];
    return old?.sha256 === next?.sha256 && old?.action === next?.action ? [] : [changeOf(list, old, next)];
  });
  const told = name === null ? lists : lists.filter((list) => list.name === name);
  const total = (of: 'entries' | 'quarantined') => told.reduce((sum, list) => sum + list[of], 0);
  return { lists, before, changed, totals: { entries: total('entries'), quarantined: total('quarantined') } };
}

function allBack({ before }: ListState, by: string): Pick<ListState, 'lists' | 'before'> {
  const [last, ...earlier] = before;
  if (!last) throw new SettingsError(['there is no change of the lists to take back']);
  refuseForeign(last, by);
  return { lists: last.lists, before: earlier };
}

/** The change of this list goes from what was before, too, so that the next rollback takes back another one. */
function oneBack({ lists, before }: ListState, name: string, by: string): Pick<ListState, 'lists' | 'before'> {
  const now = versionIn(lists, name);
  const place = before.findIndex((state) => !isSame(versionIn(state.lists, name), now));
  const found = before[place];
  if (!found) throw new SettingsError([`there is no change of the list ${name} to take back`]);
  refuseForeign(found, by);
  const version = versionIn(found.lists, name);
  const withoutIt = before.map((state, at) =>
    at < place ? { ...state, lists: replaced(state.lists, name, version) } : state,
  );
  const next = replaced(lists, name, version);
  // The state in which the change was made may now be the one that follows it.
  return {
    lists: next,
    before: withoutIt.filter((state, at) => !isAlike(state.lists, at === 0 ? next : (withoutIt[at - 1]?.lists ?? []))),
  };
}

function refuseForeign({ changed_by: who }: EarlierLists, by: string): void {
  if (who === by) return;
  throw new SettingsError([`the last change of it was made by ${who}, and is not taken back by ${by}`]);
}

function versionIn(lists: readonly KeptVersion[], name: string): KeptVersion | null {
  return lists.find((list) => list.name === name) ?? null;
}

function replaced(lists: readonly KeptVersion[], name: string, version: KeptVersion | null): KeptVersion[] {
  const others = lists.filter((list) => list.name !== name);
  return (version ? [...others, version] : others).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function isSame(a: KeptVersion | null, b: KeptVersion | null): boolean {
  return Bun.deepEquals(a, b);
}

function isAlike(a: readonly KeptVersion[], b: readonly KeptVersion[]): boolean {
  return Bun.deepEquals(a, b);
}

function changeOf(list: string, old: KeptVersion | null, next: KeptVersion | null): ListChanged {
  const counts = {
    leftOut: NO_LINES,
    added: 0,
    expired: 0,
    repeated: 0,
    quarantined: next?.quarantined ?? 0,
    heldBack: [],
  };
  return { list, what: 'rollback', entriesBefore: old?.entries ?? 0, entries: next?.entries ?? 0, ...counts };
}
