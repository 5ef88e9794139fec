import { RefusalError } from '../../api/api.ts';
import { decisionChip } from '../../elements/decision-chip.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ListPage, ShownEntry } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { momentOr } from '../elements/dates.ts';
import { paged } from '../elements/paged.ts';
import { type Effect, previewButton } from '../elements/preview.ts';
import { loaded, section } from '../elements/section.ts';
import { table } from '../elements/table.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { entryForm } from './entry-form.ts';
import { importForm } from './import-form.ts';
import { changedElsewhere, ownerWords } from './list-owner.ts';
import { listVersions } from './list-versions.ts';

/** Entries read at once. */
const A_PAGE = '100';

/** One list: its entries, another content for it, and its earlier versions. */
export function listDetail(name: string, parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  const at = (...rest: readonly string[]) => ['admin', 'lists', name, ...rest];
  const page = (after: string | null) => api.read<ListPage>(routeAddress(at(), { limit: A_PAGE, after }), leaving);
  return [
    html('p', {}, html('a', { href: hrefOfScreen('lists') }, tell('lists.all'))),
    loaded(parts, page(null).catch(goneOr), (found) => {
      if (found === null)
        return [
          html('p', {}, tell('lists.gone', { name })),
          section(tell('lists.versions'), listVersions(name, null, parts)),
        ];
      const { value: list, etag: header } = found;
      const etag = header ?? list.etag;
      const { say, format } = parts.locale;
      const isOwn = list.owner === 'operator';
      const count = tell('entries', { count: format.number(list.total) });
      const place = html('div', { class: 'in-place' });
      const ask = (preview: boolean) =>
        api.change<Effect>({ method: 'DELETE', path: routeAddress(at(), { preview }), etag });
      const title = tell('lists.delete.ask', { name });
      const remove = previewButton({ label: tell('lists.delete'), title, ask, done: parts.reload }, place, parts);
      return [
        section(
          tell('lists.entries'),
          html('p', {}, decisionChip(list.action, say), ` ${count} · `, ownerWords(list, parts)),
          decidedChecks(name, parts),
          !isOwn && changedElsewhere(list, parts),
          entries(name, list, isOwn ? etag : null, page, parts),
        ),
        isOwn && [
          section(tell('lists.addEntry'), entryForm(name, list.action, parts)),
          section(tell('lists.replace'), importForm({ name, etag }, parts)),
        ],
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

/** The ways to the checks that a list decided, in each log that the session may read. */
function decidedChecks(name: string, { tell, may, locale }: ConsoleParts): Child {
  const way = (log: 'public' | 'private') => {
    const filter = { ...(log === 'private' && { log }), list: name };
    return [' · ', html('a', { href: hrefOfScreen('history', '', filter) }, locale.say(`check.${log}`))];
  };
  const ways = [may('history') && way('public'), may('history.private') && way('private')].filter(Boolean);
  return ways.length > 0 && html('p', {}, tell('lists.decided'), ways);
}

/** Null for a list that was removed. */
function goneOr(error: unknown): null {
  if (error instanceof RefusalError && error.refusal.status === 404) return null;
  throw error;
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
      { label: tell('expires'), cell: ({ expires }) => momentOr(expires, tell('never'), locale) },
      {
        label: tell('comment'),
        cell: ({ comment, applied }) => [
          comment && foreign(comment),
          !applied && html('span', { class: 'complaint' }, ` ${tell('lists.heldBack.why')}`),
        ],
      },
      { label: '', look: 'acts', cell: (entry) => etag !== null && remove(entry) },
    ],
    [],
  );
  const load = async (after: string | null) => {
    const { entries: items, next_after: next } = after === null ? first : (await page(after)).value;
    return { items, next };
  };
  return html('div', { class: 'loaded' }, paged(parts, load, rows), place);
}
