import type { Logger } from '#src/base/logger.ts';
import type { Visibility } from '#src/base/visibility.ts';
import { removeCopies } from '../file/backup.ts';
import { failureOf, isDamage } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { logExtentOf } from '../ledger/extent.ts';
import type { LogWriter } from '../write/log-writer.ts';
import { createCheckpointer } from './checkpointer.ts';
import type { FileAnswer, FileTask } from './file-task.ts';
import { keepFileThread, startFileThread } from './file-thread.ts';
import { purgeLog } from './purge.ts';
import { createTrials, type Trials } from './trials.ts';

/** What is done to the files beside reading and appending, most of it in another thread. */
export interface Maintenance extends AsyncDisposable {
  readonly trials: Trials;
  /** Says that a log has new commits. */
  committed(visibility: Visibility): void;
  /** Looks both logs through for damage, in `delayMs` and as long as it takes; a damaged log refuses checks from then on. */
  checkIn(delayMs: number): void;
  /** See `ScanLog.purge`. */
  purge(visibility: Visibility, beforeMs: number, nowMs: number): Promise<number>;
}

/** `writerOf` is not called before there is something to do. */
export function createMaintenance(
  logs: Readonly<Record<Visibility, LogFile>>,
  writerOf: (visibility: Visibility) => LogWriter,
  logger: Logger,
): Maintenance {
  let timer: Timer | null = null;

  const thread = keepFileThread();
  const checkpointer = createCheckpointer(thread, logger, (path, work) => {
    const { visibility } = path === logs.public.path ? logs.public : logs.private;
    return writerOf(visibility).holdDuring(work);
  });

  async function check({ visibility, path }: LogFile): Promise<void> {
    const { problem, code } = await runAlone('quick_check', path);
    if (problem === null) logger.info('log.sound', { path });
    else if (isDamage(failureOf(problem, code))) writerOf(visibility).state.damaged(problem);
    else logger.warn('log.check_failed', { path, problem });
  }

  async function checkBoth(): Promise<void> {
    await check(logs.public);
    await check(logs.private);
  }

  return {
    trials: createTrials(logs, (visibility) => writerOf(visibility).state, thread),
    committed: (visibility) => checkpointer.written(logs[visibility].path),
    checkIn(delayMs) {
      timer = setTimeout(() => void checkBoth(), delayMs).unref();
    },
    async purge(visibility, beforeMs, nowMs) {
      const { path } = logs[visibility];
      const removed = await purgeOnPurpose(logs[visibility], beforeMs, nowMs);
      removeCopies(path, { finished: true });
      if (removed === 0 && !hasFreePages(logs[visibility])) return 0;
      const { problem } = await writerOf(visibility).holdDuring(() => runAlone('vacuum', path));
      if (problem === null) return removed;
      throw new Error(
        `The checks were removed, but traces of them may be left, for ${path} could not be written anew: ${problem}`,
      );
    },
    async [Symbol.asyncDispose]() {
      if (timer) clearTimeout(timer);
      checkpointer[Symbol.dispose]();
      await thread[Symbol.asyncDispose]();
    },
  };
}

/** What a purge removes is not missing, also where the purge is killed. */
async function purgeOnPurpose(log: LogFile, beforeMs: number, nowMs: number): Promise<number> {
  log.ledger?.expectNothing();
  try {
    return await purgeLog(log, beforeMs, nowMs);
  } finally {
    log.ledger?.restart(logExtentOf(log.database));
  }
}

/** Nothing but a purge leaves free pages: where there are some, one was killed before the file was written anew. */
function hasFreePages({ database }: LogFile): boolean {
  const free = database.query<{ freelist_count: number }, []>('pragma freelist_count').get();
  return (free?.freelist_count ?? 0) > 0;
}

/** What takes long has a thread to itself, so that checkpoints go on. */
async function runAlone(kind: FileTask['kind'], path: string): Promise<FileAnswer> {
  await using thread = startFileThread();
  return await thread.run({ kind, path });
}
