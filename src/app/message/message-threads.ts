import { setTimeout as wait } from 'node:timers/promises';
import { workerUrl } from '#src/core/base/worker-url.ts';
import type { Message } from '#src/engine/message/read-message.ts';
import type { MessageTask } from './message-thread.ts';

/** Threads that read messages one after the other, while the service does other work. */
export interface MessageThreads extends AsyncDisposable {
  /**
   * Reads a message. Null if it is not text; `'ended'` if the signal aborted first, in which case a thread that reads it is
   * terminated. Throws if the thread fails.
   */
  read(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Message | null | 'ended'>;
}

interface Job {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly settle: PromiseWithResolvers<Message | null | 'ended'>;
}

/** Processor time after which a thread leaves out what it has not read yet, in milliseconds. */
const BUDGET_MS = 2000;

/** Time that a thread may take beyond any budget: then it does not keep to it, and is terminated. */
const PATIENCE_MS = 6000;

/** Creates the threads; each starts on first use, and again after it was terminated. */
export function createMessageThreads(threads: number): MessageThreads {
  const idle: Worker[] = [];
  const busy = new Map<Job, Worker>();
  const waiting: Job[] = [];

  function next(): void {
    if (busy.size >= threads) return;
    const job = waiting.shift();
    if (job) run(idle.pop() ?? startThread(), job);
  }

  function run(worker: Worker, job: Job): void {
    busy.set(job, worker);
    const patience = new AbortController();
    wait(PATIENCE_MS, null, { signal: patience.signal, ref: false }).then(
      () => end(job),
      () => {},
    );
    void job.settle.promise.catch(() => {}).finally(() => patience.abort());
    worker.onmessage = ({ data }: MessageEvent<Message | null>) => {
      busy.delete(job);
      idle.push(worker);
      job.settle.resolve(data);
      next();
    };
    worker.onerror = ({ message }) => {
      job.settle.reject(new Error(`the thread that reads a message failed: ${message}`));
      end(job);
    };
    worker.postMessage({ bytes: job.bytes, name: 'mail.eml', budgetMs: BUDGET_MS } satisfies MessageTask);
  }

  /** Takes a job out, wherever it is. */
  function end(job: Job): void {
    job.settle.resolve('ended');
    const at = waiting.indexOf(job);
    if (at !== -1) waiting.splice(at, 1);
    const worker = busy.get(job);
    if (!worker) return;
    busy.delete(job);
    worker.onmessage = null;
    worker.onerror = null;
    worker.terminate();
    next();
  }

  return {
    async read(bytes, signal) {
      if (signal.aborted) return 'ended';
      const job = { bytes, settle: Promise.withResolvers<Message | null | 'ended'>() };
      const onAbort = () => end(job);
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.push(job);
      next();
      try {
        return await job.settle.promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const job of [...waiting, ...busy.keys()]) end(job);
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}

/** Starts a thread that does not keep the process alive. */
function startThread(): Worker {
  const worker = new Worker(workerUrl('app/message/message-worker.ts'), { smol: true });
  worker.unref();
  return worker;
}
