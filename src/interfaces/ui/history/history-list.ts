import type { HistoryPage } from '#src/checks/record/history-page.ts';
import { requestHistory } from '../api/api.ts';
import { html } from '../elements/dom.ts';
import { fill } from '../elements/loading.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { hrefOf } from '../shell/route.ts';
import { historyLine } from './history-line.ts';
import type { HistorySource } from './history-source.ts';

const PUBLIC: HistorySource = {
  load: requestHistory,
  isPrivate: false,
  hrefOfSite: (domain) => hrefOf('history', { domain }),
  actions: () => null,
};

/** The checks that match a query; more of them come as their reader reaches the end. */
export function historyList(
  query: Readonly<Record<string, string>>,
  locale: Locale,
  { baseRate }: PageSettings,
  leaving: AbortSignal,
  source = PUBLIC,
): HTMLElement {
  const { say } = locale;
  const items = html('ol', { class: 'history-list' });
  const status = html('p', { class: 'history-status', role: 'status' });
  // What is there while nothing else is goes, instead of moving to the end.
  const loading = html('p', { class: 'muted' }, say('history.loading'));
  const more = html('button', { type: 'button', hidden: true, click: () => void load() }, say('history.more'));
  const trouble = html('div', {});
  let cursor: string | null = null;
  let searchedTo: string | null = null;
  let isLoading = false;

  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    const before = items.childElementCount;
    const page = source.load(cursor === null ? query : { ...query, cursor }, leaving);
    await fill(trouble, page, add, locale, leaving);
    loading.remove();
    isLoading = false;
    // The observer reports only changes, and the end may have become visible while this page was loading. After a
    // refusal, the reader has to retry.
    if (leaving.aborted || items.childElementCount === before) return;
    observer.unobserve(more);
    observer.observe(more);
  }

  function add(page: HistoryPage): null {
    cursor = page.next_cursor;
    items.append(...page.items.map((item) => historyLine(item, locale, baseRate, source)));
    searchedTo = page.searched_back_to ?? null;
    more.textContent = say(searchedTo === null ? 'history.more' : 'history.older');
    more.hidden = cursor === null;
    status.textContent = summary();
    return null;
  }

  function summary(): string {
    const shown = items.childElementCount;
    if (searchedTo !== null) {
      const until = say('history.searched', { date: locale.format.instant(searchedTo) });
      return say('phrase.followed', { first: say.count('history.shown', shown), second: until });
    }
    if (shown === 0) return say(Object.keys(query).length === 0 ? 'history.none' : 'history.empty');
    const words = say.count('history.shown', shown);
    return cursor === null ? say('phrase.followed', { first: words, second: say('history.end') }) : words;
  }

  const observer = new IntersectionObserver((entries) => {
    if (!more.hidden && entries.some(({ isIntersecting }) => isIntersecting)) void load();
  });
  observer.observe(more);
  leaving.addEventListener('abort', () => observer.disconnect(), { once: true });
  void load();
  return html('div', { class: 'history' }, items, loading, trouble, status, more);
}
