import type { FoundPage } from '#src/service/server/admin/answers/list-answer.ts';
import { decisionChip } from '../../elements/decision-marks.ts';
import { html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { liveList } from '../elements/live-list.ts';
import { type Effect, rowPreviewButton } from '../elements/preview.ts';
import { table } from '../elements/table.ts';
import { entryColumns } from '../rows/entry-columns.ts';
import { noteUndoable } from '../rows/undoable.ts';
import { hrefOfScreen } from '../screen-route.ts';

type FoundRow = FoundPage['entries'][number];

/** Entries read at once. */
const A_PAGE = '50';

/** Searches the entries of all lists; entries of the operator's own lists can be removed. */
export function findEntriesForm(parts: ConsoleParts): HTMLElement {
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
        const { value } = await api.read<FoundPage>(routeAddress(['admin', 'list-entries'], query), signal);
        return { items: value.entries, found: value.found, next: value.next_after };
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
