import { freeDiskBytes } from '../file/file-system.ts';
import type { LogFile } from '../file/log-file.ts';
import { pagesIn } from '../file/page-size.ts';
import { fileExtentOf } from './file-extent.ts';
import type { Removal } from './removal.ts';

/** A step deletes no more checks than this, and none but the first that lies on more than {@link PAGES_A_STEP} pages. */
export const ROWS_A_STEP = 100;

/** About as many pages a step overwrites or moves: a few milliseconds of processor time. */
export const PAGES_A_STEP = pagesIn(1024 * 1024);

const LITTLE_BYTES = 16 * 1024 * 1024;

/** Where there is little room, a step does a part of that alone, and needs as much less. */
const PART_IN_LITTLE_ROOM = 1 / 16;

/** What one step did. */
export interface ForgetStep {
  readonly rows: number;
  /** Pages that the file is shorter by. */
  readonly pages: number;
}

/**
 * Deletes all checks that are to be removed, and gives the room that is free in the file back, in short transactions: each `next`
 * is one, and whatever came in may go in between. What was deleted comes back after a power cut, to be deleted again:
 * no step waits for the disk.
 */
export function* forget(log: LogFile, removal: Removal): Generator<ForgetStep, void, void> {
  const remove = log.database.transaction(removal.prepare(log));
  const part = () => (hasLittleRoom(log) ? PART_IN_LITTLE_ROOM : 1);
  for (;;) {
    const rows = withoutSync(log, () => remove.immediate(Math.ceil(rowsAStep(log) * part())));
    if (rows === null) break;
    yield { rows, pages: 0 };
  }
  for (let pages = -1; pages !== 0; ) {
    pages = withoutSync(log, () => shorten(log, PAGES_A_STEP * part()));
    if (pages > 0) yield { rows: 0, pages };
  }
}

/** Whether there may be no room for a write-ahead log of a few hundred pages. */
export function hasLittleRoom({ path }: Pick<LogFile, 'path'>): boolean {
  return freeDiskBytes(path) < LITTLE_BYTES;
}

function rowsAStep({ database }: LogFile): number {
  const { checks, usedPages } = fileExtentOf(database);
  const pagesARow = usedPages / Math.max(checks, 1);
  return Math.max(1, Math.min(ROWS_A_STEP, Math.floor(PAGES_A_STEP / pagesARow)));
}

/** Moves pages from the end of the file to where there is room, and says by how many it is shorter. */
function shorten({ database }: LogFile, pages: number): number {
  const { freePages } = fileExtentOf(database);
  if (freePages === 0) return 0;
  // SQLite frees a page with each row that is asked for.
  database.query(`pragma incremental_vacuum(${pages})`).all();
  return freePages - fileExtentOf(database).freePages;
}

function withoutSync<T>({ database }: LogFile, work: () => T): T {
  database.run('pragma synchronous = normal');
  try {
    return work();
  } finally {
    database.run('pragma synchronous = full');
  }
}
