import type { RescoreOutcome, Stats } from '#src/checks/record/stats.ts';
import type { Decision, Thresholds } from '#src/engine/fusion/fuse.ts';
import { requestStats } from '../api/api.ts';
import { columnChart, decisionsChart } from '../charts/column-chart.ts';
import { decisionChip } from '../elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';
import { fill } from '../elements/loading.ts';
import { position } from '../elements/position.ts';
import { retentionWords } from '../elements/retention-words.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { hrefOf, hrefOfLink } from '../shell/route.ts';

/** Builds the statistics of the public checks. */
export function overviewView(locale: Locale, settings: PageSettings, leaving: AbortSignal): HTMLElement {
  const { say } = locale;
  const place = html(
    'div',
    { class: 'overview-grid' },
    html('p', { role: 'status', class: 'muted' }, say('history.loading')),
  );
  if (settings.isHistoryPublic) {
    const draw = (stats: Stats) => cards(stats, settings.thresholds, locale);
    void fill(place, requestStats(leaving), draw, locale, leaving);
  } else replaceChildren(place, html('p', {}, say('overview.off')));
  return html(
    'div',
    { class: 'overview-page' },
    html('h1', { tabindex: -1 }, say('overview.title')),
    html('p', { class: 'lead' }, say('overview.lead')),
    place,
  );
}

function cards(stats: Stats, thresholds: Thresholds | null, locale: Locale): Child {
  const { say, format } = locale;
  return [
    card('wide', say('overview.checks'), checksOverTime(stats, locale)),
    card('', say('overview.probabilities'), probabilities(stats, thresholds, locale)),
    card('', say('overview.times'), answerTimes(stats, locale)),
    card(
      '',
      say('overview.sites'),
      ranking(stats.blocked_sites, locale, (name) => name, blockedUnder),
    ),
    card(
      '',
      say('overview.suffixes'),
      ranking(stats.blocked_suffixes, locale, (name) => `.${name}`, blockedUnder),
    ),
    stats.rescored && card('wide', say('overview.rescored'), rescoredCard(stats.rescored, locale)),
    card(
      'wide disk',
      say('overview.disk'),
      html('p', { class: 'big-figure' }, format.whole(stats.disk_free_percent / 100)),
      position(html('div', { class: 'gauge', 'aria-hidden': 'true' }, html('span', { class: 'share' })), {
        size: stats.disk_free_percent / 100,
      }),
      html('p', { class: 'muted' }, retentionWords(stats.retention, locale)),
      mixture(stats, locale),
    ),
  ];
}

/** Shows which verdicts would change today, and the latest that had been allowed. */
function rescoredCard({ finished_at, judged, changes, graver }: RescoreOutcome, { say, format }: Locale): Child {
  const short = (decision: Decision) => say(`decision.${decision}.short`);
  return [
    html(
      'p',
      { class: 'muted' },
      say('overview.rescored.lead', { checks: format.number(judged), date: format.instant(finished_at) }),
    ),
    changes.length === 0 && html('p', {}, say('overview.rescored.none')),
    html(
      'ul',
      { class: 'ranking' },
      changes.map(({ was, now, checks }) =>
        html(
          'li',
          {},
          html('span', {}, say('overview.rescored.change', { now: short(now), was: short(was) })),
          html('span', { class: 'figure' }, format.number(checks)),
        ),
      ),
    ),
    html(
      'ul',
      { class: 'ranking' },
      graver.map(({ url, now, timestamp }) =>
        html(
          'li',
          {},
          html(
            'span',
            {},
            decisionChip(now, say),
            ' ',
            html('a', { href: hrefOfLink(url, false) }, literal(url, 'mono')),
          ),
          html('time', { class: 'figure', datetime: timestamp }, format.instant(timestamp)),
        ),
      ),
    ),
  ];
}

const blockedUnder = (domain: string) => hrefOf('history', { domain, decision: 'block' });

/** Notes that nodes with a shared log differ in version or model; nothing if they are alike. */
function mixture({ fleet }: Stats, { say, format }: Locale): Child {
  if (!fleet || Math.max(fleet.versions, fleet.models, fleet.lists) < 2) return null;
  return html('p', { class: 'muted' }, say('overview.mixed', { nodes: format.number(fleet.nodes) }));
}

function card(className: string, title: string, ...children: readonly Child[]): HTMLElement {
  return html('section', { class: `card ${className}`.trim() }, html('h2', {}, title), ...children);
}

function checksOverTime(stats: Stats, locale: Locale): Child {
  const { say } = locale;
  const place = html('div', {});
  const show = (unit: 'hour' | 'day') =>
    replaceChildren(place, decisionsChart(unit === 'hour' ? stats.hours : stats.days, unit, locale));
  const choice = (unit: 'hour' | 'day', isChosen: boolean) =>
    html(
      'label',
      {},
      html('input', { type: 'radio', name: 'period', value: unit, checked: isChosen, change: () => show(unit) }),
      html(
        'span',
        {},
        unit === 'hour'
          ? say('overview.hours', { count: locale.format.number(24) })
          : say('overview.days', { count: locale.format.number(30) }),
      ),
    );
  show('day');
  return [
    html(
      'fieldset',
      {},
      html('legend', { class: 'visually-hidden' }, say('overview.period')),
      html('div', { class: 'segments' }, choice('day', true), choice('hour', false)),
    ),
    place,
  ];
}

function probabilities({ probabilities: buckets }: Stats, thresholds: Thresholds | null, locale: Locale): Child {
  const { say, format } = locale;
  const marks = (['warn', 'block'] as const).flatMap((kind) =>
    thresholds ? { kind, at: thresholds[kind], label: say(`decision.${kind}.short`) } : [],
  );
  return [
    html('p', { class: 'muted' }, say('overview.probabilities.lead')),
    columnChart(
      {
        label: say('overview.probabilities.lead'),
        columns: buckets.map(({ from, until, checks }) => ({
          names: [format.whole(from), format.whole(until)],
          parts: [{ kind: kindOf(from, thresholds), value: checks }],
        })),
        marks,
        axis: [0, 0.5, 1].map(format.whole),
        headings: [say('chart.from'), say('chart.until'), say('chart.checks')],
      },
      locale,
    ),
  ];
}

/** A bucket that a threshold cuts counts as the milder of the two. */
function kindOf(from: number, thresholds: Thresholds | null): string {
  if (!thresholds) return 'plain-part';
  if (from >= thresholds.block) return 'block';
  return from >= thresholds.warn ? 'warn' : 'allow';
}

/** Percentiles of the answer times, as shares of the checks. */
const SHARES = { p50: 0.5, p90: 0.9, p99: 0.99 };

/**
 * Returns the number of buckets to show: always up to the usual deadline of about 8 s, more if any answer took longer.
 */
function shownBuckets(histogram: Stats['answer_seconds']['histogram']): number {
  const last = histogram.findLastIndex(({ checks }) => checks > 0);
  const usual = histogram.findIndex(({ until }) => until > 8);
  return Math.max(last, usual) + 1;
}

function answerTimes({ answer_seconds: times }: Stats, locale: Locale): Child {
  const { say, format } = locale;
  const figure = (key: 'p50' | 'p90' | 'p99') =>
    html(
      'div',
      {},
      html('dt', {}, say(`overview.times.${key}`, { share: format.whole(SHARES[key]) })),
      html('dd', {}, times[key] === null ? '–' : format.seconds(times[key])),
    );
  const histogram = times.histogram.slice(0, shownBuckets(times.histogram));
  return [
    html('dl', { class: 'figures' }, figure('p50'), figure('p90'), figure('p99')),
    times.p50 !== null && html('p', { class: 'muted' }, say('overview.times.scale')),
    columnChart(
      {
        label: say('overview.times'),
        columns: histogram.map(({ from, until, checks }) => ({
          names: [format.seconds(from), format.seconds(until)],
          parts: [{ kind: 'plain-part', value: checks }],
        })),
        axis: [
          histogram.at(0)?.from,
          histogram.at(Math.floor(histogram.length / 2))?.from,
          histogram.at(-1)?.until,
        ].map((bound) => format.seconds(bound ?? 0)),
        headings: [say('chart.from'), say('chart.until'), say('chart.checks')],
      },
      locale,
    ),
  ];
}

/** Names with their counts, the largest first, each with a bar of its share of the largest, and leading to what it counts. */
function ranking(
  entries: readonly { readonly name: string; readonly checks: number }[],
  { say, format }: Locale,
  shown: (name: string) => string,
  hrefOfName: (name: string) => string,
): HTMLElement {
  if (entries.length === 0) return html('p', { class: 'muted' }, say('overview.nothing'));
  const top = Math.max(...entries.map(({ checks }) => checks), 1);
  return html(
    'ol',
    { class: 'ranking' },
    entries.map(({ name, checks }) =>
      html(
        'li',
        {},
        html('a', { href: hrefOfName(name) }, literal(shown(name), 'mono')),
        html('span', { class: 'figure' }, format.number(checks)),
        position(html('span', { class: 'share', 'aria-hidden': 'true' }), { size: checks / top }),
      ),
    ),
  );
}
