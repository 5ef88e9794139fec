import { decisionChip } from '../../elements/decision-chip.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ListPage, ListVersion, ShownEntry } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import { instantOr } from '../elements/dates.ts';
import { paged } from '../elements/paged.ts';
import { loaded, section } from '../elements/section.ts';
import { table } from '../elements/table.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { entryForm } from './entry-form.ts';
import { importForm } from './import-form.ts';

/** Entries read at once. */
const A_PAGE = '100';

/** One list: its entries, another content for it, and its earlier versions. */
export function listDetail(name: string, parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  const at = (...rest: readonly string[]) => ['admin', 'lists', name, ...rest];
  const page = (after: string | null) => api.read<ListPage>(routeAddress(at(), { limit: A_PAGE, after }), leaving);
  return [
    html('p', {}, html('a', { href: hrefOfScreen('lists') }, tell('lists.all'))),
    loaded(parts, page(null), ({ value: list, etag: header }) => {
      const etag = header ?? list.etag;
      const remove = action(
        {
          label: tell('lists.delete'),
          question: tell('lists.delete.ask', { name }),
          async run() {
            await api.change({ method: 'DELETE', path: routeAddress(at()), etag });
            parts.note(tell('done'));
            location.hash = hrefOfScreen('lists');
          },
        },
        parts,
      );
      return [
        section(
          tell('lists.entries'),
          html('p', {}, decisionChip(list.action, parts.locale.say)),
          entries(name, list, etag, page, parts),
        ),
        section(tell('lists.addEntry'), entryForm(name, list.action, parts)),
        section(tell('lists.replace'), importForm({ name, etag }, parts)),
        section(tell('lists.versions'), versions(name, etag, parts), html('div', { class: 'buttons' }, remove)),
      ];
    }),
  ];
}

type ReadPage = (after: string | null) => Promise<{ readonly value: ListPage }>;

function entries(name: string, first: ListPage, etag: string | null, page: ReadPage, parts: ConsoleParts): HTMLElement {
  const { tell, api, locale } = parts;
  const remove = ({ entry }: ShownEntry) =>
    action(
      {
        label: tell('remove'),
        of: entry,
        question: tell('remove.ask', { name: entry }),
        async run() {
          await api.change({
            method: 'DELETE',
            path: routeAddress(['admin', 'lists', name, 'entries'], { entry }),
            etag,
          });
          parts.note(tell('done'));
          parts.reload();
        },
      },
      parts,
    );
  const rows = table<ShownEntry>(
    tell('lists.entries'),
    tell('none'),
    [
      { label: tell('entry'), look: 'wide', cell: ({ entry }) => literal(entry, 'mono') },
      { label: tell('expires'), cell: ({ expires }) => instantOr(expires, tell('never'), locale) },
      { label: tell('comment'), cell: ({ comment }) => comment && foreign(comment) },
      { label: '', look: 'acts', cell: remove },
    ],
    [],
  );
  const load = async (after: string | null) => {
    const { entries: items, next_after: next } = after === null ? first : (await page(after)).value;
    return { items, next };
  };
  return paged(parts, load, rows);
}

function versions(name: string, etag: string | null, parts: ConsoleParts): HTMLElement {
  const { tell, api, leaving, locale } = parts;
  const path = ['admin', 'lists', name];
  const read = api.read<{ readonly items: readonly ListVersion[] }>(routeAddress([...path, 'versions']), leaving);
  const back = ({ version, created_at }: ListVersion) =>
    action(
      {
        label: tell('lists.rollback'),
        of: locale.format.instant(created_at),
        question: tell('lists.rollback.ask', { name, time: locale.format.instant(created_at) }),
        async run() {
          await api.change({ method: 'POST', path: routeAddress([...path, 'rollback']), body: { version }, etag });
          parts.note(tell('done'));
          parts.reload();
        },
      },
      parts,
    );
  return loaded(
    parts,
    read.then(({ value }) => value.items),
    (items) =>
      table<ListVersion>(
        tell('lists.versions'),
        tell('none'),
        [
          { label: tell('time'), cell: ({ created_at }) => locale.format.instant(created_at) },
          { label: tell('lists.entries'), look: 'number', cell: ({ entries: count }) => locale.format.number(count) },
          { label: tell('audit.by'), cell: ({ by }) => by && foreign(by) },
          {
            label: '',
            look: 'acts',
            cell: (version) =>
              version === items[0] ? html('span', { class: 'badge' }, tell('active')) : back(version),
          },
        ],
        items,
      ).element,
  );
}
