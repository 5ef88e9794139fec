import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { GateState, HeldRow } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { momentOr, timeAgo } from '../elements/dates.ts';
import { loaded } from '../elements/section.ts';
import { table } from '../elements/table.ts';
import { decidedWords } from '../rows/decided-words.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { hostActions } from './site-actions.ts';

/** What the gate of the web proxy held, or would have held, and why. */
export function gateScreen(parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  const read = api.read<GateState>('api/admin/gate', leaving);
  return loaded(
    parts,
    read.then(({ value }) => value),
    (gate) =>
      gate.mode === null
        ? html(
            'p',
            { class: 'card' },
            tell('gate.none'),
            ' ',
            html('a', { href: 'help/drop-in', hreflang: 'en' }, parts.locale.say('app.manual')),
          )
        : heldHosts(gate.mode, gate, parts),
  );
}

function heldHosts(mode: string, { since, hosts }: GateState, parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const { say, format } = locale;
  const requests = ({ host, records, via }: HeldRow) => {
    const filter = { log: 'private', via: via ?? 'gate', domain: host };
    const count = format.number(records);
    return parts.may('history.private') ? html('a', { href: hrefOfScreen('history', '', filter) }, count) : count;
  };
  const why = ({ rules, reasons, decided_by }: HeldRow) => [
    ...(decided_by ? [html('span', {}, decidedWords(decided_by, parts))] : []),
    ...rules.flatMap((rule) => tell.maybe(`gate.rule.${rule}`, '') || []),
    ...reasons.map((code) => html('span', {}, say.heading(code) ?? code)),
  ];
  return [
    html(
      'h2',
      { class: 'lead' },
      tell.maybe(`gate.${mode}`, mode),
      ' ',
      tell('since', { date: momentOr(since, tell('gate.begin'), locale) }),
    ),
    html(
      'div',
      { class: 'card' },
      table<HeldRow>(
        tell('screen.gate'),
        tell('gate.nothing'),
        [
          { label: tell('gate.host'), look: 'wide', cell: ({ host }) => literal(host, 'mono') },
          { label: tell('gate.records'), look: 'number', cell: requests },
          { label: tell('gate.clients'), look: 'number', cell: ({ clients }) => format.number(clients) },
          { label: tell('gate.held'), look: 'number', cell: ({ held }) => format.number(held) },
          {
            label: tell('gate.why'),
            look: 'wide',
            cell: (row) => why(row).flatMap((one, at) => (at === 0 ? [one] : [', ', one])),
          },
          { label: tell('gate.last'), cell: ({ last }) => timeAgo(last, locale) },
          { label: '', look: 'acts', cell: ({ host }) => parts.may('lists') && hostActions(host, ['allow'], parts) },
        ],
        hosts,
      ).element,
    ),
  ];
}
