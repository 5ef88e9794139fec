import type { Activity } from '#src/checks/record/activity.ts';
import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html, svg } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';

type Hour = Activity['hours'][number];

/** Verdicts from the bottom of a column upwards. */
const KINDS = ['allow', 'warn', 'block'] as const;

/** Size of the drawing, which is stretched to its place, and width of a column. */
const [WIDTH, HEIGHT, COLUMN] = [720, 160, 22];

/** Hours between two words of the axis. */
const AXIS_STEP = 6;

const totalOf = (hour: Hour) => KINDS.reduce((sum, kind) => sum + hour[kind], 0);

/** Checks per hour in the reader's time zone, each column leading to its checks, and the same figures as a table. */
function hoursChart(
  hours: readonly Hour[],
  hrefOfHour: ((from: string, until: string) => string) | null,
  { locale, tell }: ConsoleParts,
): HTMLElement {
  const { say, format } = locale;
  const totals = hours.map(totalOf);
  const top = topOf(Math.max(0, ...totals));
  const all = totals.reduce((sum, one) => sum + one, 0);
  const endOf = (hour: Hour) => new Date(Date.parse(hour.start) + 3_600_000).toISOString();
  const open = (hour: Hour) => hrefOfHour?.(hour.start, endOf(hour));
  const label = say('phrase.labelled', { label: tell('today.day'), value: format.number(all) });
  const column = (hour: Hour, at: number) => {
    const href = totalOf(hour) > 0 ? open(hour) : undefined;
    let below = 0;
    const parts = KINDS.map((kind) => {
      const height = top === 0 ? 0 : (hour[kind] / top) * HEIGHT;
      below += height;
      const x = (at + 0.5) * (WIDTH / hours.length) - COLUMN / 2;
      return height > 0 && svg('rect', { class: kind, x, y: HEIGHT - below, width: COLUMN, height });
    });
    const words = KINDS.map((kind) => `${format.number(hour[kind])} ${say(`decision.${kind}.short`)}`).join(', ');
    const x = at * (WIDTH / hours.length);
    return svg(
      'g',
      { class: href ? 'leads' : null, click: () => href && location.assign(href) },
      svg('title', {}, `${format.hour(hour.start)} – ${format.hour(endOf(hour))}: ${words}`),
      svg('rect', { class: 'under', x, y: 0, width: WIDTH / hours.length, height: HEIGHT }),
      parts,
    );
  };
  return html(
    'figure',
    { class: 'chart hours' },
    html(
      'p',
      { class: 'legend' },
      KINDS.map((kind) => html('span', { class: kind }, say(`decision.${kind}.short`))),
    ),
    html(
      'div',
      { class: 'axes' },
      html(
        'div',
        { class: 'y-axis', 'aria-hidden': 'true' },
        [top, top / 2, 0].map((value) => html('span', {}, format.number(value))),
      ),
      svg(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
        hours.map(column),
      ),
      html(
        'p',
        { class: 'x-axis', 'aria-hidden': 'true' },
        hours.flatMap((hour, at) => (at % AXIS_STEP === 0 ? html('span', {}, format.hour(hour.start)) : [])),
        html('span', {}, tell('today.now')),
      ),
    ),
    html('details', {}, html('summary', {}, say('chart.table')), hoursTable(hours, open, { locale, tell }, label)),
  );
}

function hoursTable(
  hours: readonly Hour[],
  open: (hour: Hour) => string | undefined,
  { locale: { say, format }, tell }: Pick<ConsoleParts, 'locale' | 'tell'>,
  label: string,
): Child {
  const name = (hour: Hour) => {
    const href = open(hour);
    return href === undefined ? format.instant(hour.start) : html('a', { href }, format.instant(hour.start));
  };
  return html(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': label },
    table<Hour>(
      label,
      tell('none'),
      [
        { label: say('chart.time'), cell: name },
        ...KINDS.map((kind) => ({
          ...{ label: say(`decision.${kind}.short`), look: 'number' as const },
          cell: (hour: Hour) => format.number(hour[kind]),
        })),
      ],
      hours.toReversed(),
    ).element,
  );
}

/** Returns the end of the scale: an even number at least as large as the largest column. */
function topOf(most: number): number {
  if (most <= 2) return 2;
  const step = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 4, 6, 8, 10].find((one) => one * step >= most) ?? 10;
  return step === 1 ? top + (top % 2) : top * step;
}

const DECISIONS = ['block', 'warn', 'allow'] as const;

/** Shows the last 24 hours of the logs that the reader may see; nothing for others. */
export function activityPart(parts: ConsoleParts): Child {
  if (!parts.may('history', 'history.private')) return null;
  return loadedFrom<Activity>(parts, 'api/admin/activity', (activity) => [
    dayPart(activity, parts),
    html('div', { class: 'pair' }, blockedPart(activity, parts), passedPart(activity, parts)),
  ]);
}

/** The log to which figures of both lead: the public one, unless the reader sees the private one alone. */
function logOf({ logs }: Activity): Readonly<Record<string, string>> {
  return logs.includes('public') ? {} : { log: 'private' };
}

function dayPart(activity: Activity, parts: ConsoleParts): HTMLElement {
  const { tell, locale } = parts;
  const { format, say } = locale;
  const { hours, logs, node } = activity;
  const from = hours[0]?.start ?? '';
  const counts = DECISIONS.map((decision) => hours.reduce((sum, hour) => sum + hour[decision], 0));
  const total = counts.reduce((sum, one) => sum + one, 0);
  const figure = (count: number, words: Child, filter: Readonly<Record<string, string>>) => {
    const href = hrefOfScreen('history', '', { ...logOf(activity), from, ...filter });
    const shown = format.number(count);
    return html(
      'div',
      { class: 'figure' },
      html('dd', {}, count > 0 ? html('a', { href }, shown) : shown),
      html('dt', {}, words),
    );
  };
  const words = logs.length === 2 ? 'both' : (logs[0] ?? 'public');
  return section(
    tell('today.day'),
    html('p', { class: 'note' }, tell(`today.logs.${words}`)),
    html(
      'dl',
      { class: 'figures' },
      figure(total, tell('today.all'), {}),
      DECISIONS.map((decision, at) => figure(counts[at] ?? 0, decisionChip(decision, say), { decision })),
    ),
    hoursChart(hours, (start, until) => hrefOfScreen('history', '', { ...logOf(activity), from: start, until }), parts),
    node.sources.length > 0 &&
      html(
        'div',
        { class: 'sources' },
        html('h3', {}, tell('today.sources', { date: format.instant(node.since) })),
        html(
          'ul',
          { class: 'plain' },
          node.sources.map(({ via, checks }) =>
            html(
              'li',
              {},
              html(
                'a',
                {
                  href: hrefOfScreen('history', '', {
                    log: via === 'gate' || via === 'mail' ? 'private' : 'public',
                    via,
                    from,
                  }),
                },
                tell(`via.${via}`),
              ),
              ' ',
              html('span', { class: 'amount' }, format.number(checks)),
            ),
          ),
        ),
      ),
  );
}

function blockedPart(
  { blocked_sites: sites, blocked_counted: counted, hours, logs }: Activity,
  parts: ConsoleParts,
): HTMLElement {
  const { tell, locale } = parts;
  const [most] = sites;
  const from = hours[0]?.start ?? '';
  const log: Readonly<Record<string, string>> = logs.includes('public') ? {} : { log: 'private' };
  if (most === undefined)
    return section(tell('today.blocked'), html('p', { class: 'muted' }, tell('today.blocked.none')));
  return section(
    tell('today.blocked'),
    html('p', { class: 'note' }, tell('today.blocked.of', { count: locale.format.number(counted) })),
    html(
      'ol',
      { class: 'blocked-sites' },
      sites.map(({ name, checks }) =>
        html(
          'li',
          {},
          html(
            'a',
            { href: hrefOfScreen('history', '', { ...log, domain: name, decision: 'block', from }) },
            literal(name, 'mono'),
          ),
          html('span', { class: 'amount' }, locale.format.number(checks)),
          html('meter', { min: 0, max: most.checks, value: checks, 'aria-hidden': 'true' }),
        ),
      ),
    ),
  );
}

/** Requests and mails, and how many of them passed unexamined; nothing without gate and milter. */
function passedPart({ node }: Activity, parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const { format } = locale;
  const lines = (['gate', 'mail'] as const).flatMap((one) => {
    const passed = node[one];
    if (passed === null) return [];
    const share = passed.requests === 0 ? 0 : passed.unexamined / passed.requests;
    const words = passed.requests === 0 ? '–' : passed.unexamined === 0 ? tell('none') : format.percent(share);
    return html(
      'div',
      { class: 'figure' },
      html('dd', { class: share > 0.01 ? 'complaint' : null }, words),
      html(
        'dt',
        {},
        tell(`via.${one}`),
        html('span', { class: 'note' }, tell('today.requests', { count: format.number(passed.requests) })),
      ),
    );
  });
  if (lines.length === 0) return null;
  return section(
    tell('unexamined'),
    html('p', { class: 'note' }, tell('unexamined.lead', { date: format.instant(node.since) })),
    html('dl', { class: 'figures' }, lines),
    html('p', {}, html('a', { href: 'help/drop-in', hreflang: 'en' }, locale.say('app.manual'))),
  );
}
