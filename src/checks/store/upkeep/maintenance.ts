import { statSync } from 'node:fs';
import { lte, type SQL } from 'drizzle-orm';
import type { Logger } from '#src/core/base/logger.ts';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { unindexBlocks, unindexOldest } from '../domains/index-block.ts';
import { pagesIn } from '../file/create-log.ts';
import { failureOf, isDamage } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { expiredMessages, messagesUpTo, removeMessages } from '../messages/remove-messages.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import type { LogState } from '../write/log-state.ts';
import type { LogWriter } from '../write/log-writer.ts';
import { inTurn, prepareDelete, type Removal, type RemoveSome } from './delete-checks.ts';
import { createEraser, type Eraser } from './eraser.ts';
import { type FileAnswer, type FileTask, type FileThread, keepFileThread, startFileThread } from './file-thread.ts';
import { type Bounds, fileExtentOf, lastBeyond } from './log-size.ts';

/** Interval between checkpoints under load. */
const INTERVAL_MS = 500;

/**
 * Longest time after which a commit is checkpointed. A checkpoint costs as much as several checks, and the service reads its
 * pages again afterwards, so few commits are checkpointed together.
 */
const MAX_INTERVAL_MS = 10 * INTERVAL_MS;

/** Commits that are checkpointed after the shorter interval. */
const MANY_COMMITS = 64;

/**
 * Length above which the write-ahead log is restarted after a checkpoint. Under load it never restarts by itself,
 * because each round leaves what was written meanwhile.
 */
const WAL_LIMIT_PAGES = pagesIn(16 * 1024 * 1024);

/** Length above which writers wait for the disk, however slow it is. */
const WAL_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * Creates a checkpointer of the write-ahead logs, in another thread, so that no request waits for the disk. `hold`
 * pauses the writers of a file during some work.
 */
export function createCheckpointer(
  thread: Pick<FileThread, 'run'>,
  logger: Logger,
  hold: <T>(path: string, work: () => Promise<T>) => Promise<T>,
) {
  /** Commits since the last checkpoint, by file. */
  const due = new Map<string, number>();
  const busy = new Set<string>();
  const restarting = new Set<string>();
  let timer: Timer | null = null;
  /** Milliseconds from its start to the end of the timer. */
  let timerMs = 0;
  let isClosing = false;

  async function run(kind: 'checkpoint' | 'restart', path: string): Promise<number> {
    if (isClosing) return 0;
    const { problem, walPages } = await thread.run({ kind, path });
    if (problem !== null && !isClosing) logger.warn('log.checkpoint_failed', { path, kind, problem });
    return walPages;
  }

  async function checkpoint(path: string): Promise<void> {
    busy.add(path);
    const walPages = await run('checkpoint', path);
    busy.delete(path);
    if (walPages > WAL_LIMIT_PAGES) await restart(path);
  }

  /** The log stays long if a reader is in the way; retrying at once would not help. */
  async function restart(path: string): Promise<void> {
    if (restarting.has(path)) return;
    restarting.add(path);
    await run('checkpoint', path);
    await hold(path, () => run('restart', path));
    setTimeout(() => restarting.delete(path), INTERVAL_MS / 10).unref();
  }

  /** A file whose last round is in progress waits for the next one, so that a slow disk is not asked for more. */
  function round(): void {
    timer = null;
    for (const path of due.keys()) {
      if (busy.has(path)) continue;
      due.delete(path);
      void checkpoint(path);
    }
    if (due.size > 0) arm(INTERVAL_MS);
  }

  function arm(ms: number): void {
    if (timer && timerMs <= ms) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(round, ms).unref();
    timerMs = ms;
  }

  return {
    /** Notes new commits in the file at `path`. */
    written(path: string) {
      const commits = (due.get(path) ?? 0) + 1;
      due.set(path, commits);
      arm(commits < MANY_COMMITS ? MAX_INTERVAL_MS : INTERVAL_MS);
      const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (walBytes > WAL_LIMIT_BYTES) void restart(path);
    },
    [Symbol.dispose]() {
      isClosing = true;
      if (timer) clearTimeout(timer);
    },
  };
}

/** Maximum wait for a trial; after it, the last known state is reported. */
const PATIENCE_MS = 2000;

/** A disk that takes longer than this for one page counts as failed. */
const STUCK_MS = 10_000;

/** Trial writes to logs whose state is unknown. */
interface Trials {
  /** Tries logs in doubt, in another thread, and updates their states. */
  run(): Promise<void>;
}

/** Creates trials, at most one per log at a time. `stateOf` is called only when a trial runs. */
function createTrials(
  logs: Readonly<Record<Visibility, LogFile>>,
  stateOf: (visibility: Visibility) => LogState,
  thread: Pick<FileThread, 'run'>,
): Trials {
  const inProgress = new Map<Visibility, Promise<void>>();

  async function attempt(visibility: Visibility): Promise<void> {
    const state = stateOf(visibility);
    const stuck = setTimeout(() => state.failed(failureOf('the disk does not answer', 'ETIMEDOUT')), STUCK_MS).unref();
    const { problem, code } = await thread.run({ kind: 'trial', path: logs[visibility].path });
    clearTimeout(stuck);
    inProgress.delete(visibility);
    if (problem === null) state.worked();
    // This process may hold the log itself, for a purge: busy says nothing.
    else if (code !== null && !code.startsWith('SQLITE_BUSY')) state.failed(failureOf(problem, code));
  }

  function tried(visibility: Visibility): Promise<void> {
    const state = stateOf(visibility);
    if (state.obstacle() !== null || !state.isDoubtful()) return Promise.resolve();
    const trial = inProgress.get(visibility) ?? attempt(visibility);
    inProgress.set(visibility, trial);
    return trial;
  }

  return {
    async run() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, PATIENCE_MS);
      await Promise.race([Promise.all([tried('public'), tried('private')]), late]);
      clearTimeout(timer);
    },
  };
}

/** Rows per read, so that new checks wait only milliseconds. */
const ROWS_PER_READ = 200;

/**
 * Returns the id of the last check to remove because it began before `beforeMs`; 0 for none. A check that began between
 * the two moments stays, and so does all that was logged after it. A check with an earlier date that was logged later
 * comes from a clock that jumped back; one after `nowMs` from a clock that jumped ahead, and is removed with the next
 * that is due.
 */
async function lastExpired({ database }: LogFile, beforeMs: number, nowMs: number): Promise<number> {
  const read = prepareNamed(database, 'checksAfter');
  let lastId = 0;
  for (let after = 0; ; ) {
    const rows = read.all({ id: after, limit: ROWS_PER_READ });
    for (const { id, request_id } of rows) {
      const atMs = requestIdMs(requestIdText(request_id));
      if (atMs >= beforeMs && atMs <= nowMs) return lastId;
      if (atMs < beforeMs) lastId = id;
      after = id;
    }
    if (rows.length < ROWS_PER_READ) return lastId;
    await new Promise(setImmediate);
  }
}

/** Returns the removal of the checks up to `lastId`, in log order, and then of messages; null for none. */
export function removalUpTo(lastId: number, messages: SQL | null = null): Removal {
  return {
    prepare: (log) => {
      const removeChecks = prepareRemoval(log, lastId);
      return messages ? inTurn(removeChecks, removeMessages(log, messages)) : removeChecks;
    },
    takes: (id) => id <= lastId,
  };
}

function prepareRemoval(log: LogFile, lastId: number): RemoveSome {
  const remove = prepareDelete(log);
  return (limit) => {
    const due = log.db
      .select({ id: checks.id })
      .from(checks)
      .where(lte(checks.id, lastId))
      .orderBy(checks.id)
      .limit(limit)
      .all();
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) {
      unindexOldest(log);
      return null;
    }
    remove(ids);
    unindexBlocks(log, ids.at(-1) ?? lastId);
    return ids.length;
  };
}

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
