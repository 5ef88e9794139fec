import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import type { FoundInLog, FoundRows } from '../recovery/damaged-log.ts';
import type { Residue } from './residue.ts';

/** Maximum wait for a busy thread when closing. */
const CLOSE_TIMEOUT_MS = 2000;

/** A thread that runs tasks on log files one after the other. */
export interface FileThread extends AsyncDisposable {
  /** Never rejects: the answer reports a thread that died. */
  run(task: AnyFileTask): Promise<FileAnswer>;
  /** False once the thread has died. */
  isAlive(): boolean;
}

/** Returns a thread that starts with its first task and restarts after it died. */
export function keepFileThread(): Pick<FileThread, 'run'> & AsyncDisposable {
  let thread: FileThread | null = null;
  return {
    async run(task) {
      if (!thread?.isAlive()) thread = startFileThread();
      return await thread.run(task);
    },
    async [Symbol.asyncDispose]() {
      await thread?.[Symbol.asyncDispose]();
    },
  };
}

/** Starts the thread. It does not keep the process alive. */
export function startFileThread(): FileThread {
  const worker = new Worker(workerUrl('checks/store/upkeep/checkpoint-worker.ts'));
  const waiting: ((answer: FileAnswer) => void)[] = [];
  let failure: FileAnswer | null = null;
  worker.unref();
  worker.onmessage = (event: MessageEvent<FileAnswer>) => waiting.shift()?.(event.data);
  worker.onerror = (event) => fail(event.message);
  worker.addEventListener('close', () => fail('the thread has ended'));

  function fail(problem: string): void {
    failure ??= { problem, code: null, walPages: 0, residue: null, extent: null, rows: null };
    for (const resolve of waiting.splice(0)) resolve(failure);
  }

  function ask(task: AnyFileTask | 'close'): Promise<FileAnswer> {
    return new Promise((resolve) => {
      if (failure) return resolve(failure);
      waiting.push(resolve);
      worker.postMessage(task);
    });
  }

  return {
    run: ask,
    isAlive: () => failure === null,
    async [Symbol.asyncDispose]() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      await Promise.race([ask('close'), late]);
      clearTimeout(timer);
      worker.terminate();
    },
  };
}

/** A task on the log file at `path`. */
export interface FileTask {
  /**
   * `checkpoint` moves commits into the file. `restart` moves the last of them and restarts the write-ahead log in
   * place, while writers are paused; `truncate` also frees its space. `quick_check` looks for damage. `trial` writes
   * without a change. `scan_rows` finds what a damaged file still has, and `read_rows` returns some of its rows.
   */
  readonly kind: 'checkpoint' | 'restart' | 'truncate' | 'quick_check' | 'trial' | 'scan_rows' | 'read_rows';
  readonly path: string;
}

/** Finds residue of deleted rows from `fromPage` on. */
export interface FindTask {
  readonly kind: 'find_residue';
  readonly path: string;
  readonly fromPage: number;
}

/** Overwrites what {@link FindTask} found, while writers are paused. */
export interface WipeTask {
  readonly kind: 'wipe_residue';
  readonly path: string;
  readonly pages: readonly number[];
}

/** All tasks of the thread. */
export type AnyFileTask = FileTask | FindTask | WipeTask;

/** Result of a task. */
export interface FileAnswer {
  /** The problem or the damage that was found; null if there is none. */
  readonly problem: string | null;
  /** Code by SQLite or the system; null if there is none. */
  readonly code: string | null;
  /** Length of the write-ahead log after a checkpoint; 0 after every other task. */
  readonly walPages: number;
  /** Residue found by a {@link FindTask}; null after every other task. */
  readonly residue: Residue | null;
  /** Result of `scan_rows`; else null. */
  readonly extent: FoundInLog | null;
  /** Result of `read_rows`: the next rows, null at the end; else null. */
  readonly rows: FoundRows | null;
}
