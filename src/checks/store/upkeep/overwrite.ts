import { failureOf } from '../file/fault.ts';
import { pagesIn } from '../file/page-size.ts';
import type { AnyFileTask } from './file-task.ts';
import type { FileThread } from './file-thread.ts';
import type { Remains } from './residue.ts';

/** Writers hold still while so many pages are overwritten: about a millisecond. */
const PAGES_A_STEP = pagesIn(1024 * 1024);

/** Another process that reads the log is waited for, a while. */
const ATTEMPTS = 250;
const ATTEMPT_EVERY_MS = 20;

/** Works on the file of one log. */
export interface Overwriting {
  readonly path: string;
  readonly thread: Pick<FileThread, 'run'>;
  /** Lets the writers of the log hold still during some work. */
  readonly hold: <T>(work: () => Promise<T>) => Promise<T>;
  readonly isClosing: () => boolean;
}

/**
 * Overwrites what deleted rows left in the file between others, and empties the write-ahead log, in which they stand as
 * they were. Writers hold still for short moments only. False where it was left half done, because the log is closing.
 */
export async function overwriteRemains(log: Overwriting): Promise<boolean> {
  // What is in the write-ahead log alone would not be found in the file.
  await emptyWal(log);
  for (let fromPage: number | null = 1; fromPage !== null; ) {
    const { pages, nextPage }: Remains = await find(log, fromPage);
    if (log.isClosing()) return false;
    for (let at = 0; at < pages.length; at += PAGES_A_STEP) {
      const some = pages.slice(at, at + PAGES_A_STEP);
      await held(log, { kind: 'wipe_remains', path: log.path, pages: some });
    }
    fromPage = nextPage;
  }
  await emptyWal(log);
  return true;
}

/** First all that can be moved while writers go on, so that they hold still for the rest alone. */
async function emptyWal(log: Overwriting): Promise<void> {
  const { problem, code } = await log.thread.run({ kind: 'checkpoint', path: log.path });
  if (problem !== null) throw failureOf(problem, code);
  await held(log, { kind: 'truncate', path: log.path });
}

async function find({ thread, path }: Overwriting, fromPage: number): Promise<Remains> {
  const { problem, code, remains } = await thread.run({ kind: 'find_remains', path, fromPage });
  if (remains === null) throw failureOf(problem ?? 'no answer', code);
  return remains;
}

async function held(log: Overwriting, task: AnyFileTask): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { problem, code } = await log.hold(() => log.thread.run(task));
    if (problem === null) return;
    if (!code?.startsWith('SQLITE_BUSY') || attempt === ATTEMPTS || log.isClosing()) throw failureOf(problem, code);
    await Bun.sleep(ATTEMPT_EVERY_MS);
  }
}
