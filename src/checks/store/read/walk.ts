import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';
import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { BadCursorError, type SearchFilter, type WalkedPage } from '../scan-log.ts';
import type { Position } from './check-filter.ts';
import { historyItem, type SummaryRow } from './history-item.ts';
import { type FilteredRow, rowFilter } from './row-filter.ts';
import { searchTest } from './search.ts';

/** How many checks are looked through for one page: a filter that lets none through must not hold up all others. */
export const MAX_SCANNED = 1000;

/** Before every check. */
const START: Position = { requestId: '00000000-0000-0000-0000-000000000000', id: 0 };

/** Tells it from a cursor that leads to older checks, which has no such byte. */
const FORWARD = 1;
const REQUEST_ID_BYTES = 16;
const CURSOR_BYTES = 1 + REQUEST_ID_BYTES + 6;

/** The text that stands for a place in the order of logging, safe in a URL. */
export function writePlace({ requestId, id }: Position): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeUInt8(FORWARD, 0);
  requestIdBytes(requestId).copy(bytes, 1);
  bytes.writeUIntBE(id, 1 + REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES - 1);
  return bytes.toString('base64url');
}

/** @throws BadCursorError where {@link writePlace} never wrote such a text; an empty one is the beginning. */
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
 * Where a walk goes on. A log that was replaced by an empty one counts anew: of what is in it nothing was told, and the walk
 * begins again.
 *
 * @param lastId the number that was given out last
 * @param standing the check that has the number of the place now; null where it was deleted
 */
export function placeIn(place: Position, lastId: number, standing: string | null): Position {
  const isOther = place.id > lastId || (standing !== null && standing !== place.requestId);
  return place.id > 0 && isOther ? START : place;
}

/** A row of the log, with its place. */
export type WalkedRow = SummaryRow & FilteredRow & Position;

/**
 * The page that begins with the first of `rows`, which follow upon a place.
 *
 * @param isLast whether no others follow upon them
 */
export function walkedPage(
  rows: readonly WalkedRow[],
  { from, isLast, limit, filter }: { from: Position; isLast: boolean; limit: number; filter: SearchFilter },
): WalkedPage {
  const passes = rowFilter(filter);
  const isFound = searchTest(filter) ?? (() => true);
  const isMeant = (row: WalkedRow) => (filter.decision ?? row.decision) === row.decision && isFound(row) && passes(row);
  const items: HistoryItem[] = [];
  let last = from;
  for (const row of rows) {
    if (items.length === limit) return { items, next: writePlace(last), isEnd: false };
    if (isMeant(row)) items.push(historyItem(row));
    last = row;
  }
  return { items, next: writePlace(last), isEnd: isLast };
}
