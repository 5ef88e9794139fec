import type { ListVersion } from '#src/service/server/admin/answers/list-answer.ts';
import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { Items } from '../api/console-api.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type Effect, previewButton } from '../elements/preview.ts';
import { loaded } from '../elements/section.ts';
import { table } from '../elements/table.ts';

/** Matches any state of a removed list, which has no state that could have changed. */
const REMOVED = '*';

/** The versions of a list, with a rollback to the one before the last change; `list` is null if it was removed. */
export function listVersions(
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
