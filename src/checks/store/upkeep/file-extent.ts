import type { Database } from 'bun:sqlite';

/** How large a log is. */
export interface FileExtent {
  /** Id of the oldest check, and of the newest; 0 where there is none. */
  readonly oldestId: number;
  readonly newestId: number;
  /** From the oldest to the newest, those included that were deleted in between. */
  readonly checks: number;
  readonly usedPages: number;
  readonly freePages: number;
  readonly pageBytes: number;
}

/** Reads the extent from the two ends of the log and the header of its file. */
export function fileExtentOf(database: Database): FileExtent {
  const { oldest, newest } = database
    .query<{ oldest: number | null; newest: number | null }, []>(
      'select (select min(id) from checks) as oldest, (select max(id) from checks) as newest',
    )
    .get() ?? { oldest: null, newest: null };
  const freePages = numberOf(database, 'freelist_count');
  return {
    oldestId: oldest ?? 0,
    newestId: newest ?? 0,
    checks: oldest === null || newest === null ? 0 : newest - oldest + 1,
    usedPages: numberOf(database, 'page_count') - freePages,
    freePages,
    pageBytes: numberOf(database, 'page_size'),
  };
}

/** What is in the file, without the room that is free in it. */
export function usedBytesOf({ usedPages, pageBytes }: FileExtent): number {
  return usedPages * pageBytes;
}

function numberOf(database: Database, pragma: 'page_count' | 'freelist_count' | 'page_size'): number {
  return Number(database.query(`pragma ${pragma}`).values()[0]?.[0]);
}
