import type { HistorySummary } from '#src/checks/record/history-page.ts';
import { requestHistory, requestStats, requestSummary } from '../api/api.ts';
import { decisionsChart } from '../charts/decisions-chart.ts';
import { type Child, html } from '../elements/dom.ts';
import { fill } from '../elements/loading.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { hrefOf, type RouteFilter } from '../shell/route.ts';
import { csvButton } from './history-csv.ts';
import { filterForm } from './history-filter.ts';
import { historyList } from './history-list.ts';
import { filterIn, type HistoryFilter, queryOf } from './history-query.ts';
import { spreadDays } from './spread-days.ts';

/** The public scan history as its address filters it, with its counts over time. */
export function historyView(
  locale: Locale,
  settings: PageSettings,
  route: RouteFilter,
  leaving: AbortSignal,
): HTMLElement {
  const { say } = locale;
  const head = [html('h1', { tabindex: -1 }, say('history.title')), html('p', { class: 'lead' }, say('history.lead'))];
  if (!settings.isHistoryPublic) {
    return html('div', { class: 'history-page' }, head, html('p', { class: 'card' }, say('overview.off')));
  }
  const filter = filterIn(route);
  const query = queryOf(filter);
  const isFiltered = Object.keys(query).length > 0;
  const plot = html('div', { class: isFiltered ? 'card plotted is-filtered' : 'card plotted' });
  if (isFiltered)
    void fill(plot, requestSummary(query, leaving), (summary) => counted(summary, filter, locale), locale, leaving);
  else void fill(plot, requestStats(leaving), ({ days }) => decisionsChart(days, 'day', locale), locale, leaving);
  const form = filterForm(say, filter, (chosen) => {
    location.hash = hrefOf('history', chosen);
  });
  return html(
    'div',
    { class: 'history-page' },
    head,
    plot,
    form,
    csvButton(query, locale, requestHistory, leaving),
    historyList(query, locale, settings, leaving),
  );
}

function counted(summary: HistorySummary, filter: HistoryFilter, locale: Locale): Child {
  const { say, format } = locale;
  const { checks, first_at, last_at, days, counted_back_to } = summary;
  if (first_at === null || last_at === null) return html('p', { class: 'muted' }, say('overview.nothing'));
  const words = (['block', 'warn', 'allow'] as const)
    .filter((decision) => checks[decision] > 0)
    .map((decision) => `${format.number(checks[decision])} ${say(`decision.${decision}.short`)}`);
  const parts = [
    say.count('chart.total', checks.allow + checks.warn + checks.block),
    ...words,
    say('history.span', { first: format.instant(first_at), last: format.instant(last_at) }),
    ...(counted_back_to === null ? [] : [say('history.counted', { date: format.instant(counted_back_to) })]),
  ];
  return [html('p', { class: 'counted' }, parts.join(' · ')), decisionsChart(spreadDays(days), 'day', locale, filter)];
}
