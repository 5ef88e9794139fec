import { inArray } from 'drizzle-orm';
import { requestIdMs } from '#src/base/request-id.ts';
import type { HistoryItem, HistoryPage } from '#src/record/history-page.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import type { HistoryQuery } from '../scan-log.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findChecks, newestIdOf } from './find-checks.ts';

/**
 * A page, newest first. Checks that come in between two pages change neither what the second holds nor its order.
 *
 * @throws BadCursorError where the cursor is not one of ours
 */
export function historyPage(log: LogFile, query: HistoryQuery): HistoryPage {
  const after = query.cursor === null ? null : readCursor(query.cursor);
  const newestId = after?.newestId ?? newestIdOf(log);
  const found = findChecks(log, { ...query, newestId }, after, query.limit + 1);
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: itemsAt(
      log,
      shown.map(({ id }) => id),
    ),
    next_cursor: found.length > shown.length && last ? writeCursor({ requestId: last.requestId, newestId }) : null,
  };
}

function itemsAt({ db }: LogFile, ids: number[]): HistoryItem[] {
  const rows = db
    .select({
      id: checks.id,
      request_id: checks.requestId,
      url: checks.url,
      malicious_probability: checks.probability,
      decision: checks.decision,
    })
    .from(checks)
    .where(inArray(checks.id, ids))
    .all();
  const items = new Map(
    rows.map(({ id, ...item }) => [id, { ...item, timestamp: new Date(requestIdMs(item.request_id)).toISOString() }]),
  );
  return ids.flatMap((id) => items.get(id) ?? []);
}
