import { html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import type { ListPage, ShownEntry } from '#src/parts/console/answers/list-answer.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts, ConsoleTeller } from '#src/parts/console-elements/console-parts.ts';
import type { Act } from '#src/parts/console-elements/elements/action.ts';
import { liveList } from '#src/parts/console-elements/elements/live-list.ts';
import {
  type Effect,
  type Previewed,
  previewButton,
  rowPreviewButton,
} from '#src/parts/console-elements/elements/preview.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import { noteUndoable } from '#src/parts/console-elements/rows/site-actions.ts';
import { entryColumns } from './rows/entry-columns.ts';

/** Orders of entries as the service knows them. */
const SORTS = {
  added: { sort: 'added', order: 'desc' },
  line: { sort: 'line', order: 'asc' },
  entry: { sort: 'entry', order: 'asc' },
  hits: { sort: 'hits', order: 'desc' },
  unused: { sort: 'hits', order: 'asc' },
  expires: { sort: 'expires', order: 'asc' },
} as const;

type SortName = keyof typeof SORTS;

/** Returns the orders with their words, the usual one first. */
function sortsOf(usual: SortName, tell: ConsoleTeller): readonly (readonly [SortName, string])[] {
  const names = Object.keys(SORTS) as SortName[];
  return [usual, ...names.filter((name) => name !== usual)].map((name) => [name, tell(`lists.sort.${name}`)]);
}

/** Returns the parameters of an order. */
function sortQuery(name: string): { readonly sort: string; readonly order: string } {
  return Object.hasOwn(SORTS, name) ? SORTS[name as SortName] : SORTS.line;
}

/** Entries read at once. */
const A_PAGE = '100';

/** A list of at most this many entries begins with the latest; a longer one as it is, which is there at once. */
const FEW = 100_000;

/** Entries to remove, and what they are called once they are gone. */
interface Removal {
  readonly body: { readonly entries: readonly string[] } | { readonly search: string };
  readonly words: string;
}

/**
 * The entries of one list: searched, sorted, with their hits, and, if it can be changed, removed one by one or together.
 *
 * @param etag state of the list; null if it is not changed here
 */
export function entryList(list: ListPage, etag: string | null, parts: ConsoleParts): HTMLElement {
  const { tell, api, locale, filter } = parts;
  const { name } = list;
  const place = html('div', { class: 'in-place' });
  const selected = new Set<string>();
  const count = html('span', { class: 'muted' });
  const bar = html('div', { class: 'buttons selection', hidden: true });
  let searched = '';

  /** Builds the removal of a selection, which is read when the preview is requested. */
  function removal(label: string, choose: () => Removal): Previewed & Pick<Act, 'label'> {
    let chosen: Removal | null = null;
    return {
      label,
      title: tell('lists.remove.ask', { name }),
      async ask(preview) {
        if (preview || chosen === null) chosen = choose();
        const path = routeAddress(['admin', 'lists', name, 'removals'], { preview });
        return await api.change<Effect>({ method: 'POST', path, body: chosen.body, etag });
      },
      done(effect) {
        const said = { list: name, of: chosen?.words ?? '', words: tell('lists.removed') };
        noteUndoable({ ...said, effect, undone: parts.reload }, parts);
        parts.reload();
      },
    };
  }

  const number = () => locale.format.number(selected.size);
  const several = removal(tell('lists.removeSelected'), () => ({ body: { entries: [...selected] }, words: number() }));
  bar.append(count, previewButton(several, place, parts));
  const allFound = removal(tell('lists.removeFound'), () => ({ body: { search: searched }, words: searched }));
  const foundBar = html('div', { class: 'buttons', hidden: true }, previewButton(allFound, place, parts));

  const select = ({ entry }: ShownEntry) => {
    const box = html('input', {
      ...{ type: 'checkbox', 'aria-label': `${tell('lists.select')}: ${entry}`, checked: selected.has(entry) },
      change() {
        if (box.checked) selected.add(entry);
        else selected.delete(entry);
        bar.hidden = selected.size === 0;
        count.textContent = tell('lists.selected', { count: number() });
      },
    });
    return html('label', {}, box);
  };
  const remove = ({ entry }: ShownEntry) => {
    const one = removal(tell('remove'), () => ({ body: { entries: [entry] }, words: entry }));
    return rowPreviewButton({ ...one, of: entry, title: tell('remove.ask', { name: entry }) }, parts);
  };
  return liveList<ShownEntry>(
    {
      id: `entries-${name}`,
      label: tell('lists.find'),
      hint: tell('lists.find.hint'),
      search: filter['search'] ?? null,
      sorts: sortsOf(list.total > FEW ? 'line' : 'added', tell),
      async load({ search, sort, after }, signal) {
        const query = { limit: A_PAGE, after, search, ...sortQuery(sort) };
        const { value } = await api.read<ListPage>(routeAddress(['admin', 'lists', name], query), signal);
        return { items: value.entries, found: value.found, next: value.next_after };
      },
      draw: () =>
        table<ShownEntry>(
          tell('lists.entries'),
          tell('lists.none.found'),
          [
            ...(etag === null ? [] : [{ label: '', look: 'pick', cell: select } as const]),
            ...entryColumns(() => name, parts),
            ...(etag === null ? [] : [{ label: '', look: 'acts', cell: remove } as const]),
          ],
          [],
        ),
      shown(search, found) {
        searched = search;
        // What was asked about others than those that are shown now is no longer offered.
        replaceChildren(place);
        selected.clear();
        bar.hidden = true;
        foundBar.hidden = etag === null || search === '' || found === null || found < 2;
      },
    },
    parts,
    foundBar,
    bar,
    place,
  );
}
