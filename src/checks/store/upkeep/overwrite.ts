import { pagesIn } from '../file/create-log.ts';
import { failureOf } from '../file/fault.ts';
import type { AnyFileTask, FileThread } from './file-thread.ts';
import type { Residue } from './residue.ts';

/** Pages overwritten while writers are paused: about a millisecond. */
const PAGES_PER_STEP = pagesIn(1024 * 1024);

/** Another process that reads the log is waited for up to this many attempts. */
const ATTEMPTS = 250;
const ATTEMPT_EVERY_MS = 20;

/** Context of overwriting one log's file. */
export interface Overwriting {
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
export async function overwriteResidue(log: Overwriting): Promise<boolean> {
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
