import type { PreparedLists } from './change-lists.ts';
import type { ListChange } from './list-change.ts';

/** Returns the line of the audit log for a change of the lists, the same for commands and console. */
export function auditOfChange(change: ListChange, { next, changed }: Pick<PreparedLists, 'next' | 'changed'>) {
  const { what, list } = change;
  const { entries = 0, sha256 = null } = next.find(({ name }) => name === list) ?? {};
  return { action: `lists.${what}`, subject: list, detail: { ...subjectOf(change, changed), entries, sha256 } };
}

/** Maximum number of removed entries that the audit log names. */
const MAX_NAMED = 100;

/** Returns what a change is about, apart from its list. */
function subjectOf(change: ListChange, changed: PreparedLists['changed']) {
  if (change.what === 'import') return { source: change.source };
  if (change.what === 'add') {
    const { items } = change;
    const [only] = Array.isArray(items) && items.length === 1 ? items : [];
    return only && 'value' in only ? { entry: String(only.value) } : {};
  }
  if (change.what !== 'remove' || change.entries === null) return {};
  const removed = changed.reduce((sum, one) => sum + one.removed, 0);
  if ('matching' in change.entries) return { matching: change.entries.matching, removed };
  const { named } = change.entries;
  return named.length === 1 ? { entry: named[0] ?? null } : { removed, removed_entries: named.slice(0, MAX_NAMED) };
}
