import { workerUrl } from '#src/core/base/worker-url.ts';
import type { AnyFileTask, FileAnswer } from './file-task.ts';

/** A thread that is in the middle of a large file is not waited for any longer than this. */
const CLOSE_TIMEOUT_MS = 2000;

/** A thread that works on log files, one task after the other. */
export interface FileThread extends AsyncDisposable {
  /** Never rejects: a thread that died is a problem in the answer. */
  run(task: AnyFileTask): Promise<FileAnswer>;
  /** False once the thread has died. */
  isAlive(): boolean;
}

/** A thread that starts with its first task, and anew with the next one where it died. */
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
    failure ??= { problem, code: null, walPages: 0, remains: null };
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
