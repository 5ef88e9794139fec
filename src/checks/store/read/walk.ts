import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';
import { BadCursorError, type SearchFilter, type WalkedPage } from '../scan-log.ts';
import type { Position } from './check-filter.ts';
import { historyItem, type SummaryRow } from './result-row.ts';
import { type FilteredRow, rowFilter, searchTest } from './search.ts';

/** Maximum number of checks scanned per page: a filter that matches nothing must not delay others. */
export const MAX_SCANNED = 1000;

/** Place before all checks. */
const START: Position = { requestId: '00000000-0000-0000-0000-000000000000', id: 0 };

/** First byte of a place, which cursors to older checks lack. */
const FORWARD = 1;
const REQUEST_ID_BYTES = 16;
const CURSOR_BYTES = 1 + REQUEST_ID_BYTES + 6;

/** Encodes a place in log order as URL-safe text. */
export function writePlace({ requestId, id }: Position): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeUInt8(FORWARD, 0);
  requestIdBytes(requestId).copy(bytes, 1);
  bytes.writeUIntBE(id, 1 + REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES - 1);
  return bytes.toString('base64url');
}

/**
 * Decodes a place; empty text is the beginning. Throws BadCursorError for text that {@link writePlace} did not write.
 */
export function readPlace(text: string): Position {
  if (text === '') return START;
  const bytes = Buffer.from(text.slice(0, 2 * CURSOR_BYTES), 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes[0] !== FORWARD || bytes.toString('base64url') !== text) {
    throw new BadCursorError();
  }
  return {
    requestId: requestIdText(bytes.subarray(1, 1 + REQUEST_ID_BYTES)),
    id: bytes.readUIntBE(1 + REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES - 1),
  };
}

/**
 * Returns where a walk continues. A log that was replaced by an empty one restarts its numbers, and the walk restarts
 * with it.
 *
 * @param lastId the last number that was assigned
 * @param standing the check that has the number of the place now; null if it was deleted
 */
export function placeIn(place: Position, lastId: number, standing: string | null): Position {
  const isOther = place.id > lastId || (standing !== null && standing !== place.requestId);
  return place.id > 0 && isOther ? START : place;
}

/** A row of the log with its position. */
export type WalkedRow = SummaryRow & FilteredRow & Position;

/**
 * Returns the page that begins with the first of `rows`, which follow a place.
 *
 * @param isLast true if no more rows follow
 */
export function walkedPage(
  rows: readonly WalkedRow[],
  { from, isLast, limit, filter }: { from: Position; isLast: boolean; limit: number; filter: SearchFilter },
): WalkedPage {
  const passes = rowFilter(filter);
  const isFound = searchTest(filter) ?? (() => true);
  const matches = (row: WalkedRow) => (filter.decision ?? row.decision) === row.decision && isFound(row) && passes(row);
  const items: HistoryItem[] = [];
  let last = from;
  for (const row of rows) {
    if (items.length === limit) return { items, next: writePlace(last), isEnd: false };
    if (matches(row)) items.push(historyItem(row));
    last = row;
  }
  return { items, next: writePlace(last), isEnd: isLast };
}
