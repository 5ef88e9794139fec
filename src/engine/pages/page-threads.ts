import type { OwnBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { JudgedPage } from '#src/engine/analyzers/page.ts';
import { type Failure, FailureError } from '#src/core/base/failure.ts';
import { workerUrl } from '#src/core/base/worker-url.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { type HtmlLimits, htmlLimits } from '#src/network/html/limits.ts';
import type { PageSource } from '#src/network/html/read-page.ts';
import type { HtmlSettings } from '#src/network/html/settings.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { Target } from '#src/core/url/target.ts';
import { packPage, unpackPage } from './carried-page.ts';
import type { PageAnswers, PageMessage, PageOrder } from './page-order.ts';
import { createControl, setStopped, type ThreadControl, threadIdOf } from './thread-control.ts';
import { watchThread } from './thread-watch.ts';

/** How pages are read and judged. */
export interface PageThreadSettings {
  /** Processor time of one page; a thread that goes far beyond it, or stands still, is ended. */
  readonly timeoutMs: number;
  /** How many pages are read or judged at once; others wait. */
  readonly threads: number;
  readonly limits: HtmlLimits;
}

/** Threads as the settings have them, as many as a small machine has cores. */
export function pageThreadSettings(settings: HtmlSettings): PageThreadSettings {
  return { timeoutMs: settings.html_timeout_seconds * 1000, threads: 2, limits: htmlLimits(settings) };
}

/** What was observed of a target, and its page as judged. */
export interface JudgedObservations {
  /** Those that were given; a page that took too long to judge is not among them, but why it was not. */
  readonly observations: Observations;
  /** Null where no page was read. */
  readonly page: JudgedPage | null;
}

/** Reads and judges pages in threads of their own, so that none can hold up the rest of the program. */
export interface PageThreads extends AsyncDisposable {
  /**
   * Reads a page; what its own budget did not allow is named in `limits` of the answer, `time` where the signal ended the
   * reading. Throws a `FailureError` `parser_budget_exceeded` where the thread had to be ended, `aborted` where the threads
   * are closed first, and the signal's where that aborts before the page had its turn.
   */
  read(bytes: Uint8Array, source: PageSource, signal?: AbortSignal): Promise<PageDocument>;
  /** Judges the page of a visit, ahead of those that are still to be read. */
  judge(target: Target, observations: Observations, ownBrands: readonly OwnBrand[]): Promise<JudgedObservations>;
}

interface Job {
  readonly order: PageOrder;
  readonly settle: PromiseWithResolvers<unknown>;
  /** Ends the job early. */
  readonly signal: AbortSignal | null;
}

interface PageThread {
  readonly worker: Worker;
  readonly control: ThreadControl;
}

/** Opens the threads; each is started when it is first needed, and again after it was ended. */
export function openPageThreads({ timeoutMs, threads, limits }: PageThreadSettings): PageThreads {
  const idle: PageThread[] = [];
  const busy = new Map<PageThread, (error: FailureError) => void>();
  // A check whose page is to be judged has waited for all else already.
  const waiting: Readonly<Record<PageOrder['kind'], Job[]>> = { judge: [], read: [] };
  /** The pages that were read, as their threads wrote them down. */
  const packed = new WeakMap<PageDocument, SharedArrayBuffer>();
  let closed = false;

  const next = () => {
    if (busy.size >= threads) return;
    const job = waiting.judge.shift() ?? waiting.read.shift();
    if (job) run(idle.pop() ?? startThread(), job);
  };

  const run = (thread: PageThread, { order, settle, signal }: Job) => {
    const { worker, control } = thread;
    const onAbort = () => setStopped(control, true);
    const leave = () => {
      watch.stop();
      signal?.removeEventListener('abort', onAbort);
      worker.onmessage = null;
      worker.onerror = null;
      busy.delete(thread);
    };
    const end = (error: FailureError) => {
      leave();
      worker.terminate();
      settle.reject(error);
      next();
    };
    const tooLong = () => end(new FailureError('parser_budget_exceeded'));
    const watch = watchThread(() => threadIdOf(control), timeoutMs, tooLong);
    busy.set(thread, end);
    worker.onmessage = (event: MessageEvent<unknown>) => {
      leave();
      idle.push(thread);
      settle.resolve(event.data);
      next();
    };
    worker.onerror = (event) => end(new FailureError('internal_error', `the page thread failed: ${event.message}`));
    setStopped(control, false);
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.postMessage({ order, control } satisfies PageMessage);
  };

  const ask = <Kind extends PageOrder['kind']>(
    order: PageOrder & { kind: Kind },
    signal: AbortSignal | null = null,
  ): Promise<PageAnswers[Kind]> => {
    const settle = Promise.withResolvers<unknown>();
    const jobs = waiting[order.kind];
    if (closed) settle.reject(new FailureError('aborted', 'the page threads are closed'));
    else if (signal?.aborted) settle.reject(reasonOf(signal));
    else {
      const job = { order, settle, signal };
      jobs.push(job);
      const leaveQueue = () => {
        const at = jobs.indexOf(job);
        if (at === -1) return;
        jobs.splice(at, 1);
        settle.reject(reasonOf(signal));
      };
      signal?.addEventListener('abort', leaveQueue, { once: true });
      next();
    }
    // The thread answers each order with its kind of answer.
    return settle.promise as Promise<PageAnswers[Kind]>;
  };

  return {
    async read(bytes, source, signal) {
      const page = await ask({ kind: 'read', bytes, source, limits }, signal);
      const document = unpackPage(page);
      packed.set(document, page.whole);
      return document;
    },
    async judge(target, observations, ownBrands) {
      const { page, certificate, landing } = observations;
      if (page.state !== 'observed' || page.value.document === null) return { observations, page: null };
      const { document, ...visit } = page.value;
      try {
        const hosts = { certificate, landing };
        const whole = packed.get(document) ?? packPage(document).whole;
        return { observations, page: await ask({ kind: 'judge', target, visit, page: whole, hosts, ownBrands }) };
      } catch (error) {
        if (!(error instanceof FailureError) || error.code === 'internal_error') throw error;
        return { observations: withoutDocument(observations, error.failure), page: null };
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const reason = new FailureError('aborted', 'the page threads were closed');
      for (const jobs of Object.values(waiting)) for (const job of jobs.splice(0)) job.settle.reject(reason);
      for (const end of [...busy.values()]) end(reason);
      await Promise.all(idle.splice(0).map(({ worker }) => worker.terminate()));
    },
  };
}

/** The same observations of a visit that came to no page, for `stopped`. */
function withoutDocument(observations: Observations, stopped: Failure): Observations {
  const { page } = observations;
  if (page.state !== 'observed') return observations;
  return { ...observations, page: { ...page, value: { ...page.value, document: null, stopped } } };
}

/** The failure that an aborted signal stands for. */
function reasonOf(signal: AbortSignal | null): FailureError {
  return signal?.reason instanceof FailureError ? signal.reason : new FailureError('aborted');
}

/** The thread of `worker.ts`, which does not keep the process alive. */
function startThread(): PageThread {
  // Garbage goes sooner: it was as fast, and 16 hostile pages at once take a tenth less memory.
  const worker = new Worker(workerUrl('engine/pages/worker.ts'), { smol: true });
  worker.unref();
  return { worker, control: createControl() };
}
