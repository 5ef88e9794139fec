import { FailureError } from '#src/base/failure.ts';
import { workerUrl } from '#src/base/worker-url.ts';
import type { PageDocument } from './document.ts';
import { type HtmlLimits, htmlLimits } from './limits.ts';
import type { PageSource } from './read-page.ts';
import type { HtmlSettings } from './settings.ts';
import type { ReadOrder } from './worker.ts';

/** How pages are read. */
export interface PageReaderSettings {
  /** After this long the thread that reads is ended, whatever it does. */
  readonly timeoutMs: number;
  /** How many pages are read at once; others wait. */
  readonly threads: number;
  readonly limits: HtmlLimits;
}

/** A reader as the settings have it, on as many threads as a small machine has cores. */
export function readerSettings(settings: HtmlSettings): PageReaderSettings {
  return { timeoutMs: settings.html_timeout_seconds * 1000, threads: 2, limits: htmlLimits(settings) };
}

/** Reads pages in threads of their own, so that none can hold up the rest of the program. */
export interface PageReader extends AsyncDisposable {
  /**
   * Reads a page; what its own budget did not allow is named in `limits` of the answer. Throws a `FailureError`
   * `parser_budget_exceeded` where the thread had to be ended, and `aborted` where the reader is closed first.
   */
  read(bytes: Uint8Array, source: PageSource): Promise<PageDocument>;
}

interface Job {
  readonly order: ReadOrder;
  readonly settle: PromiseWithResolvers<PageDocument>;
}

/** Opens a reader; threads are started when they are first needed, and again after one was ended. */
export function openPageReader(settings: PageReaderSettings): PageReader {
  const idle: Worker[] = [];
  const busy = new Map<Worker, (error: FailureError) => void>();
  const waiting: Job[] = [];
  let closed = false;

  const next = () => {
    if (busy.size >= settings.threads) return;
    const job = waiting.shift();
    if (job) run(idle.pop() ?? startWorker(), job);
  };

  const run = (worker: Worker, job: Job) => {
    const leave = () => {
      clearTimeout(timer);
      worker.onmessage = null;
      worker.onerror = null;
      busy.delete(worker);
    };
    const end = (error: FailureError) => {
      leave();
      worker.terminate();
      job.settle.reject(error);
      next();
    };
    const timer = setTimeout(() => end(new FailureError('parser_budget_exceeded')), settings.timeoutMs);
    busy.set(worker, end);
    worker.onmessage = (event: MessageEvent<PageDocument>) => {
      leave();
      idle.push(worker);
      job.settle.resolve(event.data);
      next();
    };
    worker.onerror = (event) => end(new FailureError('internal_error', `the page reader failed: ${event.message}`));
    worker.postMessage(job.order);
  };

  return {
    read(bytes, source) {
      const settle = Promise.withResolvers<PageDocument>();
      if (closed) settle.reject(new FailureError('aborted', 'the page reader is closed'));
      else {
        waiting.push({ order: { bytes, source, limits: settings.limits }, settle });
        next();
      }
      return settle.promise;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const reason = new FailureError('aborted', 'the page reader was closed');
      for (const job of waiting.splice(0)) job.settle.reject(reason);
      for (const end of [...busy.values()]) end(reason);
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}

/** The thread of `worker.ts`, which does not keep the process alive. */
function startWorker(): Worker {
  const worker = new Worker(workerUrl('html/worker.ts'));
  worker.unref();
  return worker;
}
