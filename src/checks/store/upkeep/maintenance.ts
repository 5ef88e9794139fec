import type { SQL } from 'drizzle-orm';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { failureOf, isDamage } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { expiredMessages, messagesUpTo } from '../messages/remove-messages.ts';
import type { LogWriter } from '../write/log-writer.ts';
import { type Bounds, lastBeyond } from './bounds.ts';
import { createCheckpointer } from './checkpointer.ts';
import type { Removal } from './delete-checks.ts';
import { createEraser, type Eraser } from './eraser.ts';
import { type FileAnswer, type FileTask, keepFileThread, startFileThread } from './file-thread.ts';
import { fileExtentOf } from './log-size.ts';
import { lastExpired, removalUpTo } from './purge.ts';
import { createTrials, type Trials } from './trials.ts';

/** Maintenance of the files, mostly in another thread. */
export interface Maintenance extends AsyncDisposable {
  readonly trials: Trials;
  /** Notes new commits in a log. */
  committed(visibility: Visibility): void;
  /** Examines a log, and returns the damage that it finds; null if there is none, or if the file cannot be examined. */
  examine(visibility: Visibility): Promise<string | null>;
  /** Removes checks, see {@link Eraser.erase}. */
  erase: Eraser['erase'];
  /** See `LocalLog.purge`. */
  purge(visibility: Visibility, beforeMs: number, nowMs: number): Promise<number>;
  /** See `LocalLog.trim`. */
  trim(visibility: Visibility, bounds: Bounds, missingBytes: number): Promise<number>;
}

/** Creates the maintenance. It calls `writerOf` only when there is work. */
export function createMaintenance(
  logs: Readonly<Record<Visibility, LogFile>>,
  writerOf: (visibility: Visibility) => LogWriter,
  logger: Logger,
): Maintenance {
  const thread = keepFileThread();
  const checkpointer = createCheckpointer(thread, logger, (path, work) => {
    const { visibility } = path === logs.public.path ? logs.public : logs.private;
    return writerOf(visibility).holdDuring(work);
  });

  const eraser = createEraser(logs, writerOf, thread);

  async function examine(visibility: Visibility): Promise<string | null> {
    const { path } = logs[visibility];
    const { problem, code } = await runAlone('quick_check', path);
    if (problem === null) logger.info('log.sound', { path });
    else if (isDamage(failureOf(problem, code))) return problem;
    else logger.warn('log.check_failed', { path, problem });
    return null;
  }

  return {
    trials: createTrials(logs, (visibility) => writerOf(visibility).state, thread),
    committed: (visibility) => checkpointer.written(logs[visibility].path),
    examine,
    erase: eraser.erase,
    purge: (visibility, beforeMs, nowMs) =>
      eraser.erase(visibility, async (log) =>
        upTo(await lastExpired(log, beforeMs, nowMs), expiredMessages(log, beforeMs)),
      ),
    trim: (visibility, bounds, missingBytes) =>
      eraser.erase(visibility, ({ database }) => {
        const extent = fileExtentOf(database);
        const lastMessage = lastBeyond({ ...extent, ...extent.messages }, bounds, missingBytes);
        return upTo(lastBeyond(extent, bounds, missingBytes), messagesUpTo(lastMessage));
      }),
    async [Symbol.asyncDispose]() {
      checkpointer[Symbol.dispose]();
      await eraser[Symbol.asyncDispose]();
      await thread[Symbol.asyncDispose]();
    },
  };
}

function upTo(lastId: number, messages: SQL | null): Removal | null {
  return lastId === 0 && messages === null ? null : removalUpTo(lastId, messages);
}

/** Runs a long task in its own thread, so that checkpoints continue. */
async function runAlone(kind: FileTask['kind'], path: string): Promise<FileAnswer> {
  await using thread = startFileThread();
  return await thread.run({ kind, path });
}
