import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import type { Items } from '#src/parts/console-elements/api/console-api.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { action } from '#src/parts/console-elements/elements/action.ts';
import { momentOr } from '#src/parts/console-elements/elements/dates.ts';
import { section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';
import type { ShownSource } from '#src/parts/lists/routes/list-answer.ts';

/**
 * The scheduled sources with their last attempt and its error, the next one, and a button that tries all again.
 *
 * @param isSection false inside another section, about a list of its own
 */
export function sourceTable(sources: readonly ShownSource[], parts: ConsoleParts, isSection = true): Child {
  const { tell, api, locale } = parts;
  if (sources.length === 0) return null;
  const moment = (at: string | null) => momentOr(at, tell('never'), locale);
  const place = html('div', {});
  const draw = (rows: readonly ShownSource[]) =>
    replaceChildren(
      place,
      table<ShownSource>(
        tell('sources'),
        tell('none'),
        [
          {
            label: tell('row.list'),
            look: 'wide',
            cell: ({ name, renewed_at }) =>
              renewed_at === null
                ? literal(name, 'mono')
                : html('a', { href: hrefOfScreen('lists', name) }, literal(name, 'mono')),
          },
          {
            label: tell('sources.problem'),
            look: 'wide',
            cell: ({ problem }) =>
              problem === null
                ? tell('sources.works')
                : html('span', { class: 'complaint', lang: 'en' }, foreign(problem)),
          },
          { label: tell('sources.renewed'), cell: ({ renewed_at }) => moment(renewed_at) },
          { label: tell('sources.tried'), cell: ({ tried_at }) => moment(tried_at) },
          {
            label: tell('sources.next'),
            cell: ({ next_at }) => momentOr(next_at, tell('sources.whenChanged'), locale),
          },
        ],
        rows,
      ).element,
    );
  const retry = async () => {
    const path = routeAddress(['admin', 'list-sources', 'renew']);
    const { items } = await api.change<Items<ShownSource>>({ method: 'POST', path });
    draw(items.filter(({ name }) => sources.some((source) => source.name === name)));
    parts.note(tell('done'));
  };
  draw(sources);
  const again = action({ label: tell('sources.retry'), run: retry }, parts);
  return isSection ? section(tell('sources'), place, again) : [place, again];
}
