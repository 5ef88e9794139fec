import type { NodeRow } from '#src/service/server/admin/answers/node-answer.ts';
import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { Items } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { timeAgo } from '../elements/dates.ts';
import { loaded, section } from '../elements/section.ts';
import { hrefOfScreen } from '../screen-route.ts';

/** The nodes of a fleet with their heartbeats and what waits on them. */
export function nodePart(parts: ConsoleParts): Child {
  const { tell, api, leaving, locale } = parts;
  const { format } = locale;
  const read = api.read<Items<NodeRow>>('api/admin/nodes', leaving).then(({ value }) => value.items);
  return section(
    tell('screen.fleet'),
    loaded(parts, read, (nodes) =>
      html(
        'ul',
        { class: 'plain nodes' },
        nodes.map(({ name, is_alive: isAlive, seen_at, waiting, set_aside: refused, differs }) =>
          html(
            'li',
            { class: isAlive && differs.length === 0 && refused === 0 ? 'is-well' : 'is-ill' },
            literal(name, 'mono'),
            html('span', { class: 'note' }, timeAgo(seen_at, locale)),
            waiting > 0 && html('span', { class: 'note' }, `${tell('fleet.waiting')}: ${format.number(waiting)}`),
            differs.length > 0 &&
              html(
                'span',
                { class: 'note' },
                `${tell('fleet.differs')}: ${differs.map((one) => tell.maybe(`differs.${one}`, one)).join(', ')}`,
              ),
          ),
        ),
      ),
    ),
    html('p', {}, html('a', { href: hrefOfScreen('fleet') }, tell('screen.fleet'))),
  );
}
