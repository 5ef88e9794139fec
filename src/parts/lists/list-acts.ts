import type { TSchema } from '@sinclair/typebox';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { OperatorAct, PreviewedAct } from '#src/admin/audit/act.ts';
import { OPERATOR } from '#src/network/lists/stored/list-state.ts';
import type { PreparedLists } from './change-lists.ts';
import type { ListChange, ListChanged } from './list-change.ts';
import { ListContentSchema, NewEntrySchema, RemovalSchema } from './list-inputs.ts';
import type { PreviewedVerdicts } from './preview-lists.ts';

/** A change with the lists that it results in. */
export interface ListDraft {
  readonly change: ListChange;
  readonly lists: PreparedLists;
}

type ListAct<Body extends TSchema | null> = OperatorAct<ListChange, ListDraft, readonly ListChanged[]> &
  PreviewedAct<ListDraft, PreviewedVerdicts, PreviewView> & { readonly input: Body };

/** Maximum number of removed entries that the audit log names. */
const MAX_NAMED = 100;

/** The acts on lists of the operator. */
export const LIST_ACTS = {
  import: listAct('import', ListContentSchema),
  add: listAct('add', NewEntrySchema),
  remove: listAct('remove', RemovalSchema),
  rollback: listAct('rollback', null),
};

function listAct<Body extends TSchema | null>(what: ListChange['what'], input: Body): ListAct<Body> {
  return {
    name: `lists.${what}`,
    scope: 'lists',
    input,
    files: ['lists'],
    async prepare(change, { dataDir }) {
      const { prepareStoredLists } = await import('./thread/work-on-lists.ts');
      return { change, lists: await prepareStoredLists(dataDir, OPERATOR, [change]) };
    },
    async preview({ lists }, view) {
      const { previewChange } = await import('./preview-lists.ts');
      return await previewChange(lists, view);
    },
    audit({ change, lists: { next, changed } }) {
      const { entries = 0, sha256 = null } = next.find(({ name }) => name === change.list) ?? {};
      return { subject: change.list, detail: { ...subjectOf(change, changed), entries, sha256 } };
    },
    async commit({ lists }) {
      await lists.commit();
      return lists.changed;
    },
    discard: ({ lists }) => lists.discard(),
  };
}

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
