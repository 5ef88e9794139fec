import { RefusalError } from '#src/interfaces/ui/api/api.ts';
import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { Status } from '#src/parts/console/answers/status-answer.ts';
import { type Items, routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts, ConsoleTeller } from '#src/parts/console-elements/console-parts.ts';
import type { Act } from '#src/parts/console-elements/elements/action.ts';
import { liveList } from '#src/parts/console-elements/elements/live-list.ts';
import {
  type Effect,
  type Previewed,
  previewButton,
  rowPreviewButton,
} from '#src/parts/console-elements/elements/preview.ts';
import { loaded, loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import { changedElsewhere, ownerWords } from '#src/parts/console-elements/rows/list-owner.ts';
import { noteUndoable } from '#src/parts/console-elements/rows/site-actions.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';
import type { ListPage, ListVersion, ShownEntry } from '#src/parts/lists/routes/list-answer.ts';
import { entryForm, importForm } from './list-forms.ts';
import { entryColumns } from './rows/entry-columns.ts';
import { sourceTable } from './rows/source-table.ts';

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
function entryList(list: ListPage, etag: string | null, parts: ConsoleParts): HTMLElement {
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
        const page = await api.read<ListPage>(routeAddress(['admin', 'lists', name], query), signal);
        return { items: page.entries, found: page.found, next: page.next_after };
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

/** Matches any state of a removed list, which has no state that could have changed. */
const REMOVED = '*';

/** The versions of a list, with a rollback to the one before the last change; `list` is null if it was removed. */
function listVersions(
  name: string,
  list: { readonly etag: string; readonly isOwn: boolean } | null,
  parts: ConsoleParts,
): Child {
  const { tell, api, locale } = parts;
  const path = ['admin', 'lists', name];
  const place = html('div', { class: 'in-place' });
  const ask = (preview: boolean) =>
    api.change<Effect>({
      method: 'POST',
      path: routeAddress([...path, 'rollback'], { preview }),
      etag: list?.etag ?? REMOVED,
    });
  const title = tell('lists.rollback.ask', { name });
  const back = previewButton({ label: tell('lists.rollback'), title, ask, done: parts.reload }, place, parts);
  return loadedFrom<Items<ListVersion>>(parts, routeAddress([...path, 'versions']), ({ items }) => [
    table<ListVersion>(
      tell('lists.versions'),
      tell('none'),
      [
        { label: tell('time'), cell: ({ created_at }) => locale.format.moment(created_at) },
        { label: tell('lists.entries'), look: 'number', cell: ({ entries }) => locale.format.number(entries) },
        { label: tell('lists.source'), look: 'wide', cell: ({ source }) => source && literal(source, 'mono') },
        { label: tell('state'), cell: ({ active }) => active && html('span', { class: 'badge' }, tell('active')) },
      ],
      items,
    ).element,
    (list === null || (list.isOwn && items.length > 1)) && html('div', { class: 'buttons' }, back),
    place,
  ]);
}

/** Shows a list: its entries, a form to replace them, and its earlier versions. */
export function listDetail(name: string, parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  const at = (...rest: readonly string[]) => ['admin', 'lists', name, ...rest];
  const read = api.read<ListPage>(routeAddress(at(), { limit: '1' }), leaving);
  return [
    html('p', {}, html('a', { href: hrefOfScreen('lists') }, tell('lists.all'))),
    loaded(parts, read.catch(goneOr), (list) => {
      if (list === null)
        return [
          html('p', {}, tell('lists.gone', { name })),
          section(tell('lists.versions'), listVersions(name, null, parts)),
        ];
      const { etag } = list;
      const { say, format } = parts.locale;
      const isOwn = list.owner === 'operator';
      const count = tell('entries', { count: format.number(list.total) });
      const place = html('div', { class: 'in-place' });
      const ask = (preview: boolean) =>
        api.change<Effect>({ method: 'DELETE', path: routeAddress(at(), { preview }), etag });
      const title = tell('lists.delete.ask', { name });
      const remove = previewButton({ label: tell('lists.delete'), title, ask, done: parts.reload }, place, parts);
      return [
        isOwn && section(tell('lists.addEntry'), entryForm([list], parts)),
        section(
          tell('lists.entries'),
          html('p', {}, decisionChip(list.action, say), ` ${count} · `, ownerWords(list, parts)),
          decidedChecks(list, parts),
          !isOwn && changedElsewhere(list, parts),
          list.owner === 'source' && sourceOf(name, parts),
          entryList(list, isOwn ? etag : null, parts),
        ),
        isOwn && section(tell('lists.replace'), importForm({ name, etag }, parts)),
        section(
          tell('lists.versions'),
          listVersions(name, { etag, isOwn }, parts),
          (isOwn || list.owner === 'source') && html('div', { class: 'buttons' }, remove),
          place,
        ),
      ];
    }),
  ];
}

/** The number of checks that a list decided, and the ways to them, in each log that the session may read. */
function decidedChecks({ name, hits }: ListPage, { tell, may, locale }: ConsoleParts): Child {
  const way = (log: 'public' | 'private') => {
    const filter = { ...(log === 'private' && { log }), list: name };
    return [' · ', html('a', { href: hrefOfScreen('history', '', filter) }, locale.say(`check.${log}`))];
  };
  const count = html('strong', {}, hits === null ? '–' : locale.format.number(hits));
  const ways = [may('history') && way('public'), may('history.private') && way('private')];
  return html('p', {}, `${tell('lists.hits')}: `, count, ways);
}

/** The last try, the last error and the next try of the source of a list. */
function sourceOf(name: string, parts: ConsoleParts): HTMLElement {
  return loadedFrom<Status>(parts, 'api/admin/status', ({ list_sources }) => {
    const own = list_sources.filter((source) => source.name === name);
    return sourceTable(own, parts, false);
  });
}

/** Null for a list that was removed. */
function goneOr(error: unknown): null {
  if (error instanceof RefusalError && error.refusal.status === 404) return null;
  throw error;
}
