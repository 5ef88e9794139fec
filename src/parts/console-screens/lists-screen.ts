import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { Status } from '#src/parts/console/answers/status-answer.ts';
import { type Items, routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { choices, nameIn } from '#src/parts/console-elements/elements/choices.ts';
import { momentOr, timeAgo } from '#src/parts/console-elements/elements/dates.ts';
import { consoleForm } from '#src/parts/console-elements/elements/form.ts';
import { liveList } from '#src/parts/console-elements/elements/live-list.ts';
import { type Effect, rowPreviewButton } from '#src/parts/console-elements/elements/preview.ts';
import { loaded, loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import { ownerWords } from '#src/parts/console-elements/rows/list-owner.ts';
import { noteUndoable, OWN_LISTS } from '#src/parts/console-elements/rows/site-actions.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';
import type { FoundPage, ListMatches, ListRow } from '#src/parts/lists/routes/list-answer.ts';
import { listDetail } from './list-detail.ts';
import { entryForm, importForm, type OpenList } from './list-forms.ts';
import { entryColumns } from './rows/entry-columns.ts';
import { sourceTable } from './rows/source-table.ts';

type FoundRow = FoundPage['entries'][number];

/** Entries read at once. */
const A_PAGE = '50';

/** Searches the entries of all lists; entries of the operator's own lists can be removed. */
function findEntriesForm(parts: ConsoleParts): HTMLElement {
  const { tell, api, locale, filter } = parts;
  const remove = ({ list, entry, etag }: FoundRow) => {
    const path = (preview: boolean) => routeAddress(['admin', 'lists', list, 'entries'], { entry, preview });
    const ask = (preview: boolean) => api.change<Effect>({ method: 'DELETE', path: path(preview), etag });
    const done = (effect: Effect) => {
      noteUndoable({ list, of: entry, effect, words: tell('lists.removed'), undone: parts.reload }, parts);
      parts.reload();
    };
    const title = tell('remove.ask', { name: entry });
    return rowPreviewButton({ label: tell('remove'), of: entry, title, ask, done }, parts);
  };
  return liveList<FoundRow>(
    {
      id: 'entries-of-all',
      label: tell('lists.find'),
      hint: tell('lists.find.hint'),
      search: filter['search'] ?? null,
      sorts: [],
      isTitle: true,
      async load({ search, after }, signal) {
        const query = { limit: A_PAGE, after, search, sort: 'hits', order: 'desc' };
        const page = await api.read<FoundPage>(routeAddress(['admin', 'list-entries'], query), signal);
        return { items: page.entries, found: page.found, next: page.next_after };
      },
      draw: () =>
        table<FoundRow>(
          tell('lists.find'),
          tell('lists.none.found'),
          [
            {
              label: tell('row.list'),
              cell: ({ list, entry, action }) => [
                html('a', { href: hrefOfScreen('lists', list, { search: entry }) }, literal(list, 'mono')),
                ' ',
                decisionChip(action, locale.say),
              ],
            },
            ...entryColumns<FoundRow>(({ list }) => list, parts),
            { label: '', look: 'acts', cell: (row) => row.owner === 'operator' && remove(row) },
          ],
          [],
        ),
    },
    parts,
  );
}

/** The lists: an entry of any of them is found or added first; then all lists, their sources, an import, and a test. */
export function listsScreen(parts: ConsoleParts): Child {
  const { tell, api, leaving, subject } = parts;
  if (subject !== '') return listDetail(subject, parts);
  const read = api.read<Items<ListRow>>('api/admin/lists', leaving);
  return [
    section(tell('lists.find'), findEntriesForm(parts)),
    section(
      tell('lists.addEntry'),
      loaded(parts, read, ({ items }) => entryForm(openLists(items), parts)),
    ),
    section(
      tell('lists.all'),
      loaded(parts, read, ({ items }) => listTable(items, parts)),
    ),
    loadedFrom<Status>(parts, 'api/admin/status', ({ list_sources }) => sourceTable(list_sources, parts)),
    section(tell('lists.import'), importForm(null, parts)),
    section(tell('lists.test'), testForm(parts)),
  ];
}

/** The lists that take entries by hand, those first that one click uses; these are created by their first entry. */
function openLists(lists: readonly ListRow[]): readonly OpenList[] {
  const own = lists.filter(({ owner }) => owner === 'operator');
  const usual = (['block', 'allow'] as const).map((action) => ({ name: OWN_LISTS[action], action }));
  return [...usual, ...own.filter(({ name }) => usual.every((one) => one.name !== name))];
}

/** Orders of the lists, by their names in the address. */
const ORDERS = {
  name: (a, b) => (a.name < b.name ? -1 : 1),
  hits: (a, b) => (b.hits ?? -1) - (a.hits ?? -1),
  entries: (a, b) => b.entries - a.entries,
  updated: (a, b) => (a.updated_at < b.updated_at ? 1 : -1),
} as const satisfies Readonly<Record<string, (a: ListRow, b: ListRow) => number>>;

function listTable(items: readonly ListRow[], parts: ConsoleParts): Child {
  const { tell, locale, filter } = parts;
  const { say, format } = locale;
  const order = nameIn(ORDERS, filter['sort'], 'name');
  const orders = (['name', 'hits', 'entries', 'updated'] as const).map((sort) => {
    const words = tell(sort === 'name' ? 'name' : `lists.${sort}`);
    return [words, hrefOfScreen('lists', '', { sort }), sort === order] as const;
  });
  const rows = table<ListRow>(
    tell('lists.all'),
    tell('lists.none'),
    [
      {
        label: tell('name'),
        look: 'wide',
        cell: ({ name }) => html('a', { href: hrefOfScreen('lists', name) }, literal(name, 'mono')),
      },
      { label: tell('lists.action'), cell: ({ action }) => decisionChip(action, say) },
      { label: tell('lists.entries'), look: 'number', cell: ({ entries }) => format.number(entries) },
      {
        label: tell('lists.hits'),
        look: 'number',
        cell: ({ hits }) => (hits === null ? '–' : format.number(hits)),
      },
      {
        label: tell('lists.heldBack'),
        look: 'number',
        cell: ({ quarantined }) => format.number(quarantined),
      },
      { label: tell('lists.updated'), cell: ({ updated_at }) => timeAgo(updated_at, locale) },
      { label: tell('lists.source'), cell: (list) => ownerWords(list, parts) },
    ],
    items.toSorted(ORDERS[order]),
  ).element;
  return [items.length > 1 && html('div', { class: 'choices' }, choices(tell('lists.sort'), orders)), rows];
}

function testForm(parts: ConsoleParts): HTMLElement {
  const { tell, api } = parts;
  return consoleForm(
    {
      id: 'list-test',
      fields: [{ name: 'url', label: 'URL', isRequired: true, isWide: true }],
      submit: tell('lists.test.submit'),
      async send(entered, result) {
        const typed = entered.text('url');
        const url = /^[a-z]+:/i.test(typed) ? typed : `https://${typed}`;
        const found = await api.change<ListMatches>({ method: 'POST', path: 'api/admin/lists/test', body: { url } });
        replaceChildren(result, html('div', { class: 'preview', role: 'status' }, matchesShown(url, found, parts)));
      },
    },
    parts,
  );
}

function matchesShown(url: string, { matches, decision }: ListMatches, { tell, locale }: ConsoleParts): Child {
  const { say } = locale;
  return [
    html('p', {}, literal(url, 'mono'), ' ', decision && decisionChip(decision, say)),
    table<ListMatches['matches'][number]>(
      tell('lists.test'),
      tell('lists.test.none'),
      [
        { label: tell('screen.lists'), cell: ({ list }) => literal(list, 'mono') },
        { label: tell('entry'), look: 'wide', cell: ({ entry }) => literal(entry, 'mono') },
        {
          label: tell('lists.action'),
          cell: ({ action, applied }) => [decisionChip(action, say), !applied && ` (${tell('lists.heldBack')})`],
        },
        { label: tell('expires'), cell: ({ expires }) => momentOr(expires, tell('never'), locale) },
      ],
      matches,
    ).element,
  ];
}
