import { pagesIn } from '../file/create-log.ts';
import { freeDiskBytes } from '../file/file-system.ts';
import type { LogFile } from '../file/log-file.ts';
import { withoutSync } from '../file/without-sync.ts';
import type { Removal } from './delete-checks.ts';
import { fileExtentOf } from './log-size.ts';

/** Maximum number of checks per step; a step stops earlier at {@link PAGES_PER_STEP} pages, after at least one check. */
export const ROWS_PER_STEP = 100;

/** Approximate number of pages that a step overwrites or moves: a few milliseconds of processor time. */
export const PAGES_PER_STEP = pagesIn(1024 * 1024);

const LOW_SPACE_BYTES = 16 * 1024 * 1024;

/** Factor for the step size if disk space is low. */
const LOW_SPACE_FACTOR = 1 / 16;

/** Result of one step. */
export interface EraseStep {
  readonly rows: number;
  /** Pages by which the file shrank. */
  readonly pages: number;
}

/**
 * Deletes the checks of a removal and returns free space to the system, in short transactions: each `next` is one, and
 * other commits may go in between. Steps are not synced: after a power failure, deleted checks come back and are
 * deleted again.
 */
export function* eraseSteps(log: LogFile, removal: Removal): Generator<EraseStep, void, void> {
  const remove = log.database.transaction(removal.prepare(log));
  const part = () => (hasLowSpace(log) ? LOW_SPACE_FACTOR : 1);
  for (;;) {
    log.removing.length = 0;
    const rows = withoutSync(log, () => remove.immediate(Math.ceil(rowsPerStep(log) * part())));
    log.onRemoved?.(log.removing.splice(0));
    if (rows === null) break;
    yield { rows, pages: 0 };
  }
  for (let pages = -1; pages !== 0; ) {
    pages = withoutSync(log, () => shorten(log, PAGES_PER_STEP * part()));
    if (pages > 0) yield { rows: 0, pages };
  }
}

/** Returns true if there may be no space for a write-ahead log of a few hundred pages. */
export function hasLowSpace({ path }: Pick<LogFile, 'path'>): boolean {
  return freeDiskBytes(path) < LOW_SPACE_BYTES;
}

function rowsPerStep({ database }: LogFile): number {
  const { checks, messages, usedPages } = fileExtentOf(database);
  const pagesPerRow = usedPages / Math.max(checks + messages.checks, 1);
  return Math.max(1, Math.min(ROWS_PER_STEP, Math.floor(PAGES_PER_STEP / pagesPerRow)));
}

/** Moves pages from the end of the file into free ones. Returns by how many pages it shrank. */
function shorten({ database }: LogFile, pages: number): number {
  const { freePages } = fileExtentOf(database);
  if (freePages === 0) return 0;
  // SQLite frees one page per row that is fetched.
  database.query(`pragma incremental_vacuum(${pages})`).all();
  return freePages - fileExtentOf(database).freePages;
}
