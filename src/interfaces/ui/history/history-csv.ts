import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { requestHistory } from '../api/api.ts';
import { csvText } from '../elements/csv.ts';

/** Columns of the table, by the names that the API has for them. */
const COLUMNS = ['request_id', 'url', 'decision', 'malicious_probability', 'timestamp', 'coverage', 'caution'] as const;

/** Checks of one page, which is as many as the service gives. */
const A_PAGE = '500';

/** Maximum number of pages that are fetched; the API and the operator's commands have more. */
const MAX_PAGES = 40;

/** Returns the latest matching checks as a table for a spreadsheet. Throws RefusalError. */
export async function historyCsv(query: Readonly<Record<string, string>>, leaving: AbortSignal): Promise<string> {
  const items: HistoryItem[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES && (page === 0 || cursor !== null); page++) {
    const asked: Record<string, string> = { ...query, limit: A_PAGE, ...(cursor !== null && { cursor }) };
    const answer = await requestHistory(asked, leaving);
    items.push(...answer.items);
    cursor = answer.next_cursor;
  }
  return csvText([COLUMNS, ...items.map((item) => COLUMNS.map((name) => String(item[name] ?? '')))]);
}
