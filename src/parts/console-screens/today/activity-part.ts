import type { Activity } from '#src/checks/record/activity.ts';
import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { loaded, section } from '#src/parts/console-elements/elements/section.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';
import { hoursChart } from './hours-chart.ts';

const DECISIONS = ['block', 'warn', 'allow'] as const;

/** Shows the last 24 hours of the logs that the reader may see; nothing for others. */
export function activityPart(parts: ConsoleParts): Child {
  const { api, leaving, may } = parts;
  if (!may('history', 'history.private')) return null;
  const read = api.read<Activity>('api/admin/activity', leaving).then(({ value }) => value);
  return loaded(parts, read, (activity) => [
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
