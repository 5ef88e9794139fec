import { statSync } from 'node:fs';
import type { Logger } from '#src/core/base/logger.ts';
import { pagesIn } from '../file/create-log.ts';
import type { FileThread } from './file-thread.ts';

/** Interval between checkpoints. */
const INTERVAL_MS = 500;

/**
 * Length above which the write-ahead log is restarted after a checkpoint. Under load it never restarts by itself,
 * because each round leaves what was written meanwhile.
 */
const WAL_LIMIT_PAGES = pagesIn(16 * 1024 * 1024);

/** Length above which writers wait for the disk, however slow it is. */
const WAL_LIMIT_BYTES = 32 * 1024 * 1024;

/** Checkpoints the write-ahead logs in another thread, so that no request waits for the disk. */
export interface Checkpointer extends Disposable {
  /** Notes new commits in the file at `path`. */
  written(path: string): void;
}

/** Creates a checkpointer. `hold` pauses the writers of a file during some work. */
export function createCheckpointer(
  thread: Pick<FileThread, 'run'>,
  logger: Logger,
  hold: <T>(path: string, work: () => Promise<T>) => Promise<T>,
): Checkpointer {
  const due = new Set<string>();
  const busy = new Set<string>();
  const restarting = new Set<string>();
  let timer: Timer | null = null;
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
    for (const path of due) {
      if (busy.has(path)) continue;
      due.delete(path);
      void checkpoint(path);
    }
    if (due.size > 0) arm();
  }

  function arm(): void {
    timer ??= setTimeout(round, INTERVAL_MS).unref();
  }

  return {
    written(path) {
      due.add(path);
      arm();
      const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (walBytes > WAL_LIMIT_BYTES) void restart(path);
    },
    [Symbol.dispose]() {
      isClosing = true;
      if (timer) clearTimeout(timer);
    },
  };
}
