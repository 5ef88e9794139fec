import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { failureOf, isDamage } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import type { LogWriter } from '../write/log-writer.ts';
import { type Bounds, lastBeyond } from './bounds.ts';
import { createCheckpointer } from './checkpointer.ts';
import { fileExtentOf } from './file-extent.ts';
import type { FileAnswer, FileTask } from './file-task.ts';
import { keepFileThread, startFileThread } from './file-thread.ts';
import { createForgetter, type Forgetter } from './eraser.ts';
import { lastExpired, removalUpTo } from './purge.ts';
import type { Removal } from './removal.ts';
import { createTrials, type Trials } from './trials.ts';

/** What is done to the files beside reading and appending, most of it in another thread. */
export interface Maintenance extends AsyncDisposable {
  readonly trials: Trials;
  /** Says that a log has new commits. */
  committed(visibility: Visibility): void;
  /** Looks both logs through for damage, in `delayMs` and as long as it takes; a damaged log refuses checks from then on. */
  checkIn(delayMs: number): void;
  /** Removes checks, as {@link Forgetter.forget} does. */
  forget: Forgetter['forget'];
  /** See `LocalLog.purge`. */
  purge(visibility: Visibility, beforeMs: number, nowMs: number): Promise<number>;
  /** See `LocalLog.trim`. */
  trim(visibility: Visibility, bounds: Bounds, missingBytes: number): Promise<number>;
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

  const forgetter = createForgetter(logs, writerOf, thread);

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
    forget: forgetter.forget,
    purge: (visibility, beforeMs, nowMs) =>
      forgetter.forget(visibility, async (log) => upTo(await lastExpired(log, beforeMs, nowMs))),
    trim: (visibility, bounds, missingBytes) =>
      forgetter.forget(visibility, ({ database }) => upTo(lastBeyond(fileExtentOf(database), bounds, missingBytes))),
    async [Symbol.asyncDispose]() {
      if (timer) clearTimeout(timer);
      checkpointer[Symbol.dispose]();
      await forgetter[Symbol.asyncDispose]();
      await thread[Symbol.asyncDispose]();
    },
  };
}

function upTo(lastId: number): Removal | null {
  return lastId === 0 ? null : removalUpTo(lastId);
}

/** What takes long has a thread to itself, so that checkpoints go on. */
async function runAlone(kind: FileTask['kind'], path: string): Promise<FileAnswer> {
  await using thread = startFileThread();
  return await thread.run({ kind, path });
}
