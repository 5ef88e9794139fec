import { RefusalError } from '#src/interfaces/ui/api/api.ts';
import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { ListPage, ListVersion } from '#src/parts/console/answers/list-answer.ts';
import type { Status } from '#src/parts/console/answers/status-answer.ts';
import { type Items, routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { type Effect, previewButton } from '#src/parts/console-elements/elements/preview.ts';
import { loaded, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import { changedElsewhere, ownerWords } from '#src/parts/console-elements/rows/list-owner.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';
import { entryList } from './entry-list.ts';
import { entryForm, importForm } from './list-forms.ts';
import { sourceTable } from './rows/source-table.ts';

/** Matches any state of a removed list, which has no state that could have changed. */
const REMOVED = '*';

/** The versions of a list, with a rollback to the one before the last change; `list` is null if it was removed. */
function listVersions(
  name: string,
  list: { readonly etag: string; readonly isOwn: boolean } | null,
  parts: ConsoleParts,
): Child {
  const { tell, api, leaving, locale } = parts;
  const path = ['admin', 'lists', name];
  const read = api.read<Items<ListVersion>>(routeAddress([...path, 'versions']), leaving);
  const place = html('div', { class: 'in-place' });
  const ask = (preview: boolean) =>
    api.change<Effect>({
      method: 'POST',
      path: routeAddress([...path, 'rollback'], { preview }),
      etag: list?.etag ?? REMOVED,
    });
  const title = tell('lists.rollback.ask', { name });
  const back = previewButton({ label: tell('lists.rollback'), title, ask, done: parts.reload }, place, parts);
  return loaded(
    parts,
    read.then(({ value }) => value.items),
    (items) => [
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
    ],
  );
}

/** Shows a list: its entries, a form to replace them, and its earlier versions. */
export function listDetail(name: string, parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  const at = (...rest: readonly string[]) => ['admin', 'lists', name, ...rest];
  const read = api.read<ListPage>(routeAddress(at(), { limit: '1' }), leaving);
  return [
    html('p', {}, html('a', { href: hrefOfScreen('lists') }, tell('lists.all'))),
    loaded(parts, read.catch(goneOr), (found) => {
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
  const status = parts.api.read<Status>('api/admin/status', parts.leaving);
  const own = status.then(({ value }) => value.list_sources.filter((source) => source.name === name));
  return loaded(parts, own, (sources) => sourceTable(sources, parts, false));
}

/** Null for a list that was removed. */
function goneOr(error: unknown): null {
  if (error instanceof RefusalError && error.refusal.status === 404) return null;
  throw error;
}
