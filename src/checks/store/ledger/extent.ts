import type { Database } from 'bun:sqlite';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { prepareNamed } from '../statements/prepare-named.ts';

/** A check by its position in log order. */
export interface Mark {
  /** Increments by one per check. */
  readonly id: number;
  readonly requestId: string;
  /** Start of the check, in milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** First and last check of a log. */
export interface LogExtent {
  /** Creation time of the file, which identifies it. */
  readonly madeAtMs: number;
  /** Null if the log is empty, as is {@link newest}. */
  readonly oldest: Mark | null;
  readonly newest: Mark | null;
}

interface Row {
  readonly id: number;
  readonly request_id: Uint8Array;
}

/** Reads the extent of a log at the latest schema. */
export function logExtentOf(database: Database): LogExtent {
  const made = database.query<{ atMs: number }, []>('select applied_at_ms as atMs from schema_steps where step = 0');
  return {
    madeAtMs: made.get()?.atMs ?? 0,
    oldest: markOf(prepareNamed(database, 'oldestCheck').get({})),
    newest: markOf(prepareNamed(database, 'newestCheck').get({})),
  };
}

/** Returns true if a log holds a check at the expected id. */
export function holds(database: Database, { id, requestId }: Mark): boolean {
  return markOf(prepareNamed(database, 'checkAt').get({ id }))?.requestId === requestId;
}

function markOf(row: Row | null): Mark | null {
  if (!row) return null;
  const requestId = requestIdText(row.request_id);
  return { id: row.id, requestId, atMs: requestIdMs(requestId) };
}
