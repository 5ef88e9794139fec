import type { Database } from 'bun:sqlite';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';

/** One check, by its place in the order in which a log was written. */
export interface Mark {
  /** Counts on by one from check to check. */
  readonly id: number;
  readonly requestId: string;
  /** When the check began, milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** From which check to which a log goes. */
export interface LogExtent {
  /** When the file was made, by which it is told from another. */
  readonly madeAtMs: number;
  /** Null where the log is empty, as is {@link newest}. */
  readonly oldest: Mark | null;
  readonly newest: Mark | null;
}

const ROW = 'select id, request_id as requestId from checks';

interface Row {
  readonly id: number;
  readonly requestId: Uint8Array;
}

/** The extent of a log at the newest schema. */
export function logExtentOf(database: Database): LogExtent {
  const made = database.query<{ atMs: number }, []>('select applied_at_ms as atMs from schema_steps where step = 0');
  return {
    madeAtMs: made.get()?.atMs ?? 0,
    oldest: markOf(database.query<Row, []>(`${ROW} order by id limit 1`).get()),
    newest: markOf(database.query<Row, []>(`${ROW} order by id desc limit 1`).get()),
  };
}

/** Whether a log holds a check where it is expected. */
export function holds(database: Database, { id, requestId }: Mark): boolean {
  return markOf(database.query<Row, [number]>(`${ROW} where id = ?`).get(id))?.requestId === requestId;
}

function markOf(row: Row | null): Mark | null {
  if (!row) return null;
  const requestId = requestIdText(row.requestId);
  return { id: row.id, requestId, atMs: requestIdMs(requestId) };
}
