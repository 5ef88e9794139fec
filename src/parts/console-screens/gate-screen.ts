import type { GateTest } from '#src/checks/record/gate-test.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import { historyList } from '#src/interfaces/ui/history/history-list.ts';
import { facts } from '#src/interfaces/ui/result/facts.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { choices, nameIn } from '#src/parts/console-elements/elements/choices.ts';
import { momentOr, timeAgo } from '#src/parts/console-elements/elements/dates.ts';
import { consoleForm } from '#src/parts/console-elements/elements/form.ts';
import { loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import { checkSource, decidedWords } from '#src/parts/console-elements/rows/check-source.ts';
import { hostActions, siteActions } from '#src/parts/console-elements/rows/site-actions.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';
import type { GateState, HeldRow } from '#src/parts/proxy/gate-answer.ts';

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
  const { tell, subject, filter } = parts;
  if (subject !== '') return hostRequests(parts);
  const hours = RANGES[nameIn(RANGES, filter['range'], 'day')];
  const since = hours === null ? '' : `?since=${new Date(Date.now() - hours * 3_600_000).toISOString()}`;
  return loadedFrom<GateState>(parts, `api/admin/gate${since}`, (gate) =>
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

/** Asks what the gate would say about a link, without a trace in the log. */
function gateTestForm(parts: ConsoleParts): HTMLElement {
  const { tell, api } = parts;
  return section(
    tell('lists.test'),
    consoleForm(
      {
        id: 'gate-test',
        lead: tell('gate.test.lead'),
        fields: [{ name: 'url', label: tell('preview.example'), isRequired: true, isWide: true }],
        submit: tell('lists.test.submit'),
        async send(entered, result) {
          const body = { url: entered.text('url') };
          const path = routeAddress(['admin', 'gate', 'test']);
          const said = await api.change<GateTest>({ method: 'POST', path, body });
          replaceChildren(result, saidAtGate(said, parts));
        },
      },
      parts,
    ),
  );
}

/** Shows the gate's decision, its rule, and what can be done about it. */
function saidAtGate(said: GateTest, parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const { url, mode, rule, would_hold: wouldHold, unexamined, decided_by, reasons } = said;
  const { malicious_probability: probability, gate_block: limit } = said;
  const outcome = wouldHold ? (mode === 'hold' ? 'held' : 'wouldHold') : unexamined ? 'unexamined' : 'passes';
  const look = wouldHold ? 'block' : unexamined || rule === 'doubtful' ? 'warn' : 'allow';
  const headings = reasons.flatMap(({ code }) => locale.say.heading(code) ?? []);
  return html(
    'div',
    { class: `gate-says ${look}`, role: 'status' },
    html('h3', {}, tell(`gate.test.${outcome}`)),
    html('p', {}, literal(url, 'mono')),
    facts(
      [tell('gate.why'), tell.maybe(`gate.says.${rule}`, rule)],
      decided_by && [tell('row.decidedBy'), decidedWords(decided_by, parts)],
      headings.length === 0 ? null : [tell('row.reasons'), headings.join(', ')],
      probability === null
        ? null
        : [
            tell('brands.probability'),
            tell('gate.test.limit', { share: locale.format.percent(probability), limit: locale.format.percent(limit) }),
          ],
    ),
    parts.may('lists') && html('div', { class: 'buttons' }, siteActions(url, parts)),
  );
}

/** The requests for a host that the gate held or would have held, as rows of the history. */
function hostRequests(parts: ConsoleParts): Child {
  const { tell, locale, settings, leaving, subject, filter, may } = parts;
  const { via = 'gate', ...range } = filter;
  const back = html('p', {}, html('a', { href: hrefOfScreen('gate', '', range) }, tell('gate.all')));
  const acts = may('lists') && html('div', { class: 'buttons' }, hostActions(subject, ['allow', 'block'], parts));
  if (!may('history.private')) return [back, acts, html('p', { class: 'card' }, tell('trouble.forbidden_scope'))];
  return [
    back,
    html('h2', { class: 'note' }, tell('gate.requestsOf')),
    acts,
    historyList({ domain: subject, via }, locale, settings, leaving, checkSource('private', parts)),
  ];
}
