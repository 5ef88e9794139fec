import { requestStats } from '../api/api.ts';
import { decisionsChart } from '../charts/decisions-chart.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { fill } from '../elements/loading.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { historyFilter } from './history-filter.ts';
import { historyList } from './history-list.ts';

/** The public scan history with its filters, and its counts over time. */
export function historyView(locale: Locale, settings: PageSettings, leaving: AbortSignal): HTMLElement {
  const { say } = locale;
  const head = [html('h1', { tabindex: -1 }, say('history.title')), html('p', { class: 'lead' }, say('history.lead'))];
  if (!settings.isHistoryPublic) {
    return html('div', { class: 'history-page' }, head, html('p', { class: 'card' }, say('overview.off')));
  }
  const plot = html('div', { class: 'card' });
  const list = html('div', {});
  const show = (query: Readonly<Record<string, string>>) =>
    replaceChildren(list, historyList(query, locale, settings, leaving));
  void fill(plot, requestStats(leaving), ({ days }) => decisionsChart(days, 'day', locale), locale, leaving);
  show({});
  return html('div', { class: 'history-page' }, head, plot, historyFilter(say, show), list);
}
