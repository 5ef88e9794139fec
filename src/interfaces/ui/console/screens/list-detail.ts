import { decisionChip } from '../../elements/decision-chip.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ListPage, ListVersion, ShownEntry } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { instantOr } from '../elements/dates.ts';
import { paged } from '../elements/paged.ts';
import { type Effect, previewButton } from '../elements/preview.ts';
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
      const place = html('div', { class: 'in-place' });
      const ask = (preview: boolean) =>
        api.change<Effect>({ method: 'DELETE', path: routeAddress(at(), { preview }), etag });
      const done = () => {
        location.hash = hrefOfScreen('lists');
      };
      const title = tell('lists.delete.ask', { name });
      const remove = previewButton({ label: tell('lists.delete'), title, ask, done }, place, parts);
      return [
        section(
          tell('lists.entries'),
          html('p', {}, decisionChip(list.action, parts.locale.say)),
          entries(name, list, etag, page, parts),
        ),
        section(tell('lists.addEntry'), entryForm(name, list.action, parts)),
        section(tell('lists.replace'), importForm({ name, etag }, parts)),
        section(tell('lists.versions'), versions(name, etag, parts), html('div', { class: 'buttons' }, remove), place),
      ];
    }),
  ];
}

type ReadPage = (after: string | null) => Promise<{ readonly value: ListPage }>;

function entries(name: string, first: ListPage, etag: string | null, page: ReadPage, parts: ConsoleParts): HTMLElement {
  const { tell, api, locale } = parts;
  const place = html('div', { class: 'in-place' });
  const remove = ({ entry }: ShownEntry) => {
    const path = (preview: boolean) => routeAddress(['admin', 'lists', name, 'entries'], { entry, preview });
    const ask = (preview: boolean) => api.change<Effect>({ method: 'DELETE', path: path(preview), etag });
    const title = tell('remove.ask', { name: entry });
    return previewButton({ label: tell('remove'), of: entry, title, ask, done: parts.reload }, place, parts);
  };
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
  return html('div', { class: 'loaded' }, paged(parts, load, rows), place);
}

function versions(name: string, etag: string | null, parts: ConsoleParts): HTMLElement {
  const { tell, api, leaving, locale } = parts;
  const path = ['admin', 'lists', name];
  const read = api.read<{ readonly items: readonly ListVersion[] }>(routeAddress([...path, 'versions']), leaving);
  const place = html('div', { class: 'in-place' });
  const back = ({ version, created_at }: ListVersion) => {
    const time = locale.format.instant(created_at);
    const ask = (preview: boolean) =>
      api.change<Effect>({
        method: 'POST',
        path: routeAddress([...path, 'rollback'], { preview }),
        body: { version },
        etag,
      });
    const title = tell('lists.rollback.ask', { name, time });
    return previewButton({ label: tell('lists.rollback'), of: time, title, ask, done: parts.reload }, place, parts);
  };
  return loaded(
    parts,
    read.then(({ value }) => value.items),
    (items) => [
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
      place,
    ],
  );
}
