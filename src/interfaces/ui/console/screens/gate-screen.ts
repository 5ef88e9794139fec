import type { GateState, HeldRow } from '#src/service/server/admin/answers/gate-answer.ts';
import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { choices, nameIn } from '../elements/choices.ts';
import { momentOr, timeAgo } from '../elements/dates.ts';
import { loaded, section } from '../elements/section.ts';
import { table } from '../elements/table.ts';
import { gateTestForm } from '../gate/gate-test-form.ts';
import { hostRequests } from '../gate/host-requests.ts';
import { decidedWords } from '../rows/decided-words.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { hostActions } from './site-actions.ts';

/** Time ranges by their names in the address, in hours; null for all since the gate began to watch. */
const RANGES = { day: 24, week: 168, month: 720, all: null } as const;

/** Orders of the hosts, by their names in the address. */
const ORDERS = {
  last: (a, b) => (a.last < b.last ? 1 : -1),
  records: (a, b) => b.records - a.records,
  clients: (a, b) => b.clients - a.clients,
  host: (a, b) => (a.host < b.host ? -1 : 1),
} as const satisfies Readonly<Record<string, (a: HeldRow, b: HeldRow) => number>>;

/** Shows what the gate held, or would have held, and why; a test of a link; the requests for one host. */
export function gateScreen(parts: ConsoleParts): Child {
  const { tell, api, leaving, subject, filter } = parts;
  if (subject !== '') return hostRequests(parts);
  const hours = RANGES[nameIn(RANGES, filter['range'], 'day')];
  const since = hours === null ? '' : `?since=${new Date(Date.now() - hours * 3_600_000).toISOString()}`;
  const read = api.read<GateState>(`api/admin/gate${since}`, leaving);
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
        : [totalsPart(gate.mode, gate, parts), gateTestForm(parts), heldHosts(gate, parts)],
  );
}

function totalsPart(mode: string, { since, hosts, passed }: GateState, { tell, locale }: ConsoleParts): HTMLElement {
  const { format } = locale;
  const figure = (value: string, label: string, isBad = false) =>
    html('div', { class: 'figure' }, html('dd', { class: isBad ? 'complaint' : null }, value), html('dt', {}, label));
  const sum = (of: 'records' | 'held') => format.number(hosts.reduce((total, host) => total + host[of], 0));
  const share = passed && passed.requests > 0 ? passed.unexamined / passed.requests : 0;
  return section(
    tell.maybe(`gate.${mode}`, mode),
    html('p', { class: 'note' }, tell('since', { date: momentOr(since, tell('gate.begin'), locale) })),
    html(
      'dl',
      { class: 'figures' },
      figure(format.number(hosts.length), tell('gate.hosts')),
      figure(sum('records'), tell('gate.suspicious')),
      figure(sum('held'), tell('gate.held')),
      passed && figure(format.number(passed.requests), tell('gate.total')),
      passed && figure(share === 0 ? tell('none') : format.percent(share), tell('unexamined'), share > 0.01),
    ),
  );
}

function heldHosts({ hosts }: GateState, parts: ConsoleParts): HTMLElement {
  const { tell, locale, filter } = parts;
  const { say, format } = locale;
  const range = nameIn(RANGES, filter['range'], 'day');
  const order = nameIn(ORDERS, filter['sort'], 'last');
  const hrefOf = (more: Readonly<Record<string, string>>) => hrefOfScreen('gate', '', { range, sort: order, ...more });
  const hostLink = ({ host, via }: HeldRow) =>
    html('a', { href: hrefOfScreen('gate', host, { range, sort: order, via: via ?? 'gate' }) }, literal(host, 'mono'));
  const why = ({ rules, reasons, decided_by }: HeldRow) => [
    ...(decided_by ? [html('span', {}, decidedWords(decided_by, parts))] : []),
    ...rules.flatMap((rule) => tell.maybe(`gate.rule.${rule}`, '') || []),
    ...reasons.map((code) => html('span', {}, say.heading(code) ?? code)),
  ];
  return section(
    tell('gate.hosts'),
    html(
      'div',
      { class: 'choices' },
      choices(
        tell('gate.range'),
        (['day', 'week', 'month', 'all'] as const).map((one) => [
          tell(`range.${one}`),
          hrefOf({ range: one }),
          one === range,
        ]),
      ),
      hosts.length > 1 &&
        choices(
          tell('gate.sort'),
          (['last', 'records', 'clients', 'host'] as const).map((one) => [
            tell(one === 'last' ? 'sort.last' : `gate.${one}`),
            hrefOf({ sort: one }),
            one === order,
          ]),
        ),
    ),
    table<HeldRow>(
      tell('screen.gate'),
      tell('gate.nothing'),
      [
        { label: tell('gate.host'), look: 'wide', cell: hostLink },
        { label: tell('gate.records'), look: 'number', cell: ({ records }) => format.number(records) },
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
      hosts.toSorted(ORDERS[order]),
    ).element,
  );
}
