import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Visibility } from '#src/core/base/visibility.ts';
import { removeCopies } from '../file/backup.ts';
import { pagesIn } from '../file/create-log.ts';
import { failureOf } from '../file/fault.ts';
import { freeDiskBytes } from '../file/file-system.ts';
import { type LogFile, withoutSync } from '../file/log-file.ts';
import { logExtentOf } from '../ledger/ledger.ts';
import type { LogWriter } from '../write/log-writer.ts';
import type { Removal } from './delete-checks.ts';
import type { AnyFileTask, FileThread } from './file-thread.ts';
import { fileExtentOf } from './log-size.ts';
import type { Residue } from './residue.ts';

/** Another process that reads the log is waited for up to this many attempts. */
const ATTEMPTS = 250;
const ATTEMPT_EVERY_MS = 20;

/** Context of overwriting one log's file. */
interface Overwriting {
  readonly path: string;
  readonly thread: Pick<FileThread, 'run'>;
  /** Pauses the writers of the log during some work. */
  readonly hold: <T>(work: () => Promise<T>) => Promise<T>;
  readonly isClosing: () => boolean;
}

/**
 * Overwrites what deleted rows left in the file between others, and empties the write-ahead log, which holds them too.
 * Pauses writers only briefly. Returns false if it stopped because the log is closing.
 */
async function overwriteResidue(log: Overwriting): Promise<boolean> {
  // The search reads only the file, so the write-ahead log is emptied first.
  await emptyWal(log);
  for (let fromPage: number | null = 1; fromPage !== null; ) {
    const { pages, nextPage }: Residue = await find(log, fromPage);
    if (log.isClosing()) return false;
    for (let at = 0; at < pages.length; at += PAGES_PER_STEP) {
      const some = pages.slice(at, at + PAGES_PER_STEP);
      await runHeld(log, { kind: 'wipe_residue', path: log.path, pages: some });
    }
    fromPage = nextPage;
  }
  await emptyWal(log);
  return true;
}

/** Checkpoints while writers continue, so that they are paused only for the rest. */
async function emptyWal(log: Overwriting): Promise<void> {
  const { problem, code } = await log.thread.run({ kind: 'checkpoint', path: log.path });
  if (problem !== null) throw failureOf(problem, code);
  await runHeld(log, { kind: 'truncate', path: log.path });
}

async function find({ thread, path }: Overwriting, fromPage: number): Promise<Residue> {
  const { problem, code, residue } = await thread.run({ kind: 'find_residue', path, fromPage });
  if (residue === null) throw failureOf(problem ?? 'no answer', code);
  return residue;
}

async function runHeld(log: Overwriting, task: AnyFileTask): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { problem, code } = await log.hold(() => log.thread.run(task));
    if (problem === null) return;
    if (!code?.startsWith('SQLITE_BUSY') || attempt === ATTEMPTS || log.isClosing()) throw failureOf(problem, code);
    await Bun.sleep(ATTEMPT_EVERY_MS);
  }
}

/** Maximum number of checks per step; a step stops earlier at {@link PAGES_PER_STEP} pages, after at least one check. */
export const ROWS_PER_STEP = 100;

/** Approximate number of pages that a step overwrites or moves: a few milliseconds of processor time. */
export const PAGES_PER_STEP = pagesIn(1024 * 1024);

const LOW_SPACE_BYTES = 16 * 1024 * 1024;

/** Factor for the step size if disk space is low. */
const LOW_SPACE_FACTOR = 1 / 16;

/** Result of one step. */
interface EraseStep {
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
function hasLowSpace({ path }: Pick<LogFile, 'path'>): boolean {
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

/** Length above which the write-ahead log is checkpointed before the next step, so that deleting needs little space. */
const WAL_PAGES = pagesIn(2 * 1024 * 1024);

/** A blocking reader is waited for up to this many attempts; it blocks everything else too. */
const STUCK_WAL_PAGES = 8 * WAL_PAGES;
const STUCK_ATTEMPTS = 100;
const STUCK_EVERY_MS = 100;

/** Decides what to remove when its turn has come; null for nothing. */
export type Plan = (log: LogFile) => Removal | null | Promise<Removal | null>;

/** Removes checks from the logs without a trace in any file. */
export interface Eraser extends AsyncDisposable {
  /**
   * Removes what `plan` returns, and resolves with the number of checks. Completes what a killed or closed process
   * began.
   */
  erase(visibility: Visibility, plan: Plan): Promise<number>;
}

/** Completes a removal whose checks are all deleted. */
const NOTHING_MORE: Removal = { prepare: () => () => null, takes: () => false };

/** Creates an eraser. It calls `writerOf` only when there is work, and serializes the removals of each log. */
export function createEraser(
  logs: Readonly<Record<Visibility, LogFile>>,
  writerOf: (visibility: Visibility) => LogWriter,
  thread: Pick<FileThread, 'run'>,
): Eraser {
  const inProgress: Record<Visibility, Promise<unknown>> = { public: Promise.resolve(), private: Promise.resolve() };
  let isClosing = false;

  async function remove(log: LogFile, removal: Removal): Promise<number> {
    const writer = writerOf(log.visibility);
    let removed = 0;
    let waits = 0;
    for (const { rows } of eraseSteps(log, removal)) {
      removed += rows;
      const walPages = walPagesOf(log);
      if (walPages > WAL_PAGES || hasLowSpace(log)) {
        await thread.run({ kind: 'checkpoint', path: log.path });
        await writer.holdDuring(() => thread.run({ kind: 'restart', path: log.path }));
      }
      if (walPages > STUCK_WAL_PAGES) {
        if (++waits > STUCK_ATTEMPTS) throw new Error(`another process keeps reading ${log.path}`);
        await Bun.sleep(STUCK_EVERY_MS);
      }
      await yieldToWriters(writer);
      if (isClosing) break;
    }
    return removed;
  }

  /** Lets pending requests go first. While writers are held, no step may run: it would block the thread. */
  async function yieldToWriters(writer: LogWriter): Promise<void> {
    await new Promise(setImmediate);
    await writer.unlessHeld();
  }

  async function eraseNow(log: LogFile, plan: Plan): Promise<number> {
    const { path } = log;
    if (isClosing) return 0;
    const planned = await plan(log);
    const marker = `${path}.forgetting`;
    if (planned === null && !existsSync(marker)) return 0;
    const removal = planned ?? NOTHING_MORE;
    removeCopies(path, { finished: true });
    writeFileSync(marker, '', { mode: 0o600 });
    const writer = writerOf(log.visibility);
    await yieldToWriters(writer);
    const removed = await withLedgerUpdated(log, writer, removal, () => remove(log, removal));
    try {
      const isDone = await overwriteResidue({ path, thread, hold: writer.holdDuring, isClosing: () => isClosing });
      if (isDone) {
        rmSync(marker, { force: true });
        removal.whenGone?.();
      }
      return removed;
    } catch (cause) {
      throw new Error(`The checks were removed, but traces of them may be left in ${path} until the next time`, {
        cause,
      });
    }
  }

  return {
    async erase(visibility, plan) {
      const result = inProgress[visibility].then(() => eraseNow(logs[visibility], plan));
      inProgress[visibility] = result.catch(() => {});
      return await result;
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await Promise.all([inProgress.public, inProgress.private]);
    },
  };
}

/**
 * Records in the ledger that checks are removed on purpose, even if this process is killed meanwhile; remaining checks
 * stay expected. The ledger is written while no commit is on its way to the disk, because it must not be ahead of the log.
 */
async function withLedgerUpdated<T>(
  { ledger, database }: LogFile,
  { holdDuring }: LogWriter,
  { takes }: Removal,
  remove: () => Promise<T>,
): Promise<T> {
  await holdDuring(async (earlier) => {
    await earlier;
    const extent = logExtentOf(database);
    if (extent.newest && !takes(extent.newest.id)) ledger?.restart({ ...extent, oldest: null });
    else ledger?.expectNothing();
  });
  try {
    return await remove();
  } finally {
    await holdDuring(async (earlier) => {
      await earlier;
      ledger?.restart(logExtentOf(database));
    });
  }
}

/** Returns the number of frames in the write-ahead log, whatever the length of its file. */
function walPagesOf({ database }: LogFile): number {
  return database.query<{ log: number }, []>('pragma wal_checkpoint(noop)').get()?.log ?? 0;
}
