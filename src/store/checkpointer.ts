import type { Logger } from '#src/base/logger.ts';
import { workerUrl } from '#src/base/worker-url.ts';

/** What the worker is asked to do with the file at `path`. */
export interface WorkerTask {
  readonly kind: 'checkpoint' | 'truncate' | 'quick_check' | 'vacuum';
  readonly path: string;
}

/** A finished task, and what went wrong with it or with the file. */
export interface WorkerAnswer extends WorkerTask {
  readonly problem: string | null;
  /** Length of the write-ahead log after a checkpoint; 0 for every other task. */
  readonly walPages: number;
}

/**
 * From this length on the write-ahead log (16 MiB) is cut back. Under load it never is by itself, because every round
 * leaves what was written during the round.
 */
const WAL_LIMIT_PAGES = 4096;

/** How long commits gather before they are moved into the file. */
const INTERVAL_MS = 500;

/** A worker that is busy with a large file is not waited for any longer than this. */
const CLOSE_TIMEOUT_MS = 2000;

/** Moves commits from the write-ahead log into the file, in a thread of its own, where no request waits for the disk. */
export interface Checkpointer extends AsyncDisposable {
  /** Says that the file at `path` has new commits. */
  written(path: string): void;
  /**
   * `truncate` empties the write-ahead log, for which writers have to hold still. `quick_check` looks for damage; `vacuum` writes the file anew, without what deleted rows left between others, and
   * keeps writers out meanwhile. Resolves with the first problem, null where there is none.
   */
  run(kind: Exclude<WorkerTask['kind'], 'checkpoint'>, path: string): Promise<string | null>;
}

/** The thread starts with the first task. `onLongWal` is told of a file whose write-ahead log should be truncated. */
export function createCheckpointer(logger: Logger, onLongWal: (path: string) => void): Checkpointer {
  const written = new Set<string>();
  const busy = new Set<string>();
  const running = new Map<string, (problem: string | null) => void>();
  let worker: Worker | null = null;
  let timer: Timer | null = null;
  let onClosed = () => {};

  function post(task: WorkerTask): void {
    worker ??= startWorker();
    worker.postMessage(task);
  }

  function startWorker(): Worker {
    const started = new Worker(workerUrl('store/checkpoint-worker.ts'));
    started.unref();
    started.onerror = (event) => logger.error('log.worker_failed', { message: event.message });
    started.onmessage = (event: MessageEvent<WorkerAnswer | 'closed'>) => {
      if (event.data === 'closed') onClosed();
      else receive(event.data);
    };
    return started;
  }

  function receive({ kind, path, problem, walPages }: WorkerAnswer): void {
    if (kind !== 'checkpoint') {
      running.get(`${kind} ${path}`)?.(problem);
      running.delete(`${kind} ${path}`);
      return;
    }
    busy.delete(path);
    if (problem) logger.warn('log.checkpoint_failed', { path, problem });
    if (walPages > WAL_LIMIT_PAGES) onLongWal(path);
  }

  /** A file whose last round is not done yet waits for the next one, so that a slow disk is not asked for more. */
  function round(): void {
    timer = null;
    for (const path of [...written].filter((waiting) => !busy.has(waiting))) {
      written.delete(path);
      busy.add(path);
      post({ kind: 'checkpoint', path });
    }
    if (written.size > 0) arm();
  }

  function arm(): void {
    timer ??= setTimeout(round, INTERVAL_MS).unref();
  }

  return {
    written(path) {
      written.add(path);
      arm();
    },
    run(kind, path) {
      return new Promise((resolve) => {
        running.set(`${kind} ${path}`, resolve);
        post({ kind, path });
      });
    },
    async [Symbol.asyncDispose]() {
      if (timer) clearTimeout(timer);
      if (!worker) return;
      await new Promise<void>((resolve) => {
        onClosed = resolve;
        setTimeout(resolve, CLOSE_TIMEOUT_MS).unref();
        worker?.postMessage('close');
      });
      worker.terminate();
    },
  };
}
