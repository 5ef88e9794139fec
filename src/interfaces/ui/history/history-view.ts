import type { HistoryItem, HistorySummary } from '#src/checks/record/history-page.ts';
import { RefusalError, requestHistory, requestStats, requestSummary } from '../api/api.ts';
import { decisionsChart } from '../charts/column-chart.ts';
import { csvText } from '../elements/csv.ts';
import { type Child, html } from '../elements/dom.ts';
import { fill } from '../elements/loading.ts';
import { refusalText } from '../elements/refusal-text.ts';
import { saveFile } from '../elements/save-file.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { hrefOf, type RouteFilter } from '../shell/route.ts';
import { filterForm } from './history-filter.ts';
import { historyList } from './history-list.ts';
import { filterIn, type HistoryFilter, queryOf, spreadDays } from './history-query.ts';

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

/** A button that saves the latest matching checks, which `load` brings by the page. */
export function csvButton(
  query: Readonly<Record<string, string>>,
  locale: Locale,
  load: typeof requestHistory,
  leaving: AbortSignal,
): HTMLElement {
  const said = html('span', { role: 'status', class: 'muted' });
  async function save(): Promise<void> {
    said.textContent = locale.say('history.loading');
    try {
      const text = await historyCsv(query, load, leaving);
      said.textContent = '';
      saveFile(`lurecheck-history-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', text);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      said.replaceChildren(html('span', { class: 'complaint' }, refusalText(error.refusal, locale)));
    }
  }
  return html(
    'p',
    { class: 'history-tools' },
    html('button', { type: 'button', click: () => void save() }, locale.say('batch.csv')),
    ' ',
    said,
  );
}

/** Columns of the table, by the names that the API has for them. */
const COLUMNS = ['request_id', 'url', 'decision', 'malicious_probability', 'timestamp', 'coverage', 'caution'] as const;

/** Checks of one page, which is as many as the service gives. */
const A_PAGE = '500';

/** Maximum number of pages that are fetched; the API and the operator's commands have more. */
const MAX_PAGES = 40;

/** Returns the latest matching checks as a table for a spreadsheet. Throws RefusalError. */
async function historyCsv(
  query: Readonly<Record<string, string>>,
  load: typeof requestHistory,
  leaving: AbortSignal,
): Promise<string> {
  const items: HistoryItem[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES && (page === 0 || cursor !== null); page++) {
    const asked: Record<string, string> = { ...query, limit: A_PAGE, ...(cursor !== null && { cursor }) };
    const answer = await load(asked, leaving);
    items.push(...answer.items);
    cursor = answer.next_cursor;
  }
  return csvText([COLUMNS, ...items.map((item) => COLUMNS.map((name) => String(item[name] ?? '')))]);
}
