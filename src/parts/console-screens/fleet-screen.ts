import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { NodeRow } from '#src/parts/console/answers/console-answers.ts';
import type { Items } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { timeAgo } from '#src/parts/console-elements/elements/dates.ts';
import { loadedFrom } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';

/** Checks that a node could not store yet, and those that it never can. */
function waitingWords({ waiting, set_aside }: NodeRow, { tell, locale }: ConsoleParts): Child {
  const { number } = locale.format;
  const refused = `${number(set_aside)} ${tell('fleet.setAside')}`;
  return html('div', {}, number(waiting), set_aside > 0 && html('p', { class: 'complaint' }, refused));
}

/** The nodes that share a database: their heartbeat, lag, and in what they differ. */
export function fleetScreen(parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const { format } = locale;
  return loadedFrom<Items<NodeRow>>(parts, 'api/admin/nodes', ({ items }) =>
    html(
      'div',
      { class: 'card' },
      table<NodeRow>(
        tell('screen.fleet'),
        tell('fleet.none'),
        [
          { label: tell('name'), cell: ({ name }) => literal(name, 'mono') },
          {
            label: tell('fleet.seen'),
            cell: ({ is_alive, seen_at }) =>
              html('span', { class: is_alive ? null : 'complaint' }, timeAgo(seen_at, locale)),
          },
          { label: locale.say('about.version'), cell: ({ version }) => literal(version, 'mono') },
          { label: tell('today.model'), cell: ({ model_version }) => literal(model_version, 'mono') },
          { label: tell('fleet.clock'), look: 'number', cell: ({ ahead_seconds }) => format.signed(ahead_seconds) },
          { label: tell('fleet.waiting'), look: 'number', cell: (node) => waitingWords(node, parts) },
          {
            label: tell('fleet.differs'),
            look: 'wide',
            cell: ({ differs }) =>
              differs.length === 0 ? tell('no') : differs.map((one) => tell.maybe(`differs.${one}`, one)).join(', '),
          },
        ],
        items,
      ).element,
    ),
  );
}
