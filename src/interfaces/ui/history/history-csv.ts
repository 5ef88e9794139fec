import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { RefusalError, type requestHistory } from '../api/api.ts';
import { csvText } from '../elements/csv.ts';
import { html } from '../elements/dom.ts';
import { refusalText } from '../elements/refusal-text.ts';
import { saveFile } from '../elements/save-file.ts';
import type { Locale } from '../shell/locale.ts';

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
