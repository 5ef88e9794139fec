import { type Failure, FailureError } from '#src/core/base/failure.ts';
import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import { createThreadPool } from '#src/core/base/threads/thread-pool.ts';
import type { Target } from '#src/core/url/target.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { AnalyzedPage } from '#src/engine/analyzers/page.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { type HtmlLimits, htmlLimits } from '#src/network/html/limits.ts';
import type { PageSource } from '#src/network/html/read-page.ts';
import type { HtmlSettings } from '#src/network/html/settings.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { type PageAnswers, type PageMessage, type PageTask, packPage, unpackPage } from './page-task.ts';
import { createControl, setStopped, threadIdOf, watchThread } from './thread-control.ts';

/** Limits of reading and analyzing pages. */
export interface PageThreadSettings {
  /** CPU time of one page; a thread that far exceeds it, or stalls, is terminated. */
  readonly timeoutMs: number;
  /** Pages read or analyzed concurrently; others wait. */
  readonly threads: number;
  readonly limits: HtmlLimits;
}

/** Returns the configured limits, with as many threads as a small host has cores. */
export function pageThreadSettings(settings: HtmlSettings): PageThreadSettings {
  return { timeoutMs: settings.html_timeout_seconds * 1000, threads: 2, limits: htmlLimits(settings) };
}

/** Observations of a target, with its analyzed page. */
export interface AnalyzedObservations {
  /** The given observations; a page that took too long to analyze is replaced by the failure. */
  readonly observations: Observations;
  /** Null if no page was read. */
  readonly page: AnalyzedPage | null;
}

/** Threads that read and analyze pages, so that no page can block the serving thread. */
export interface PageThreads extends AsyncDisposable {
  /**
   * Reads a page. `limits` of the result names each exceeded budget; `time` if the signal stopped the reading. Throws a
   * `FailureError`: `parser_budget_exceeded` if the thread was terminated, `aborted` if the threads are closed first, and
   * the signal's reason if it aborts while the page waits.
   */
  read(bytes: Uint8Array, source: PageSource, signal?: AbortSignal): Promise<PageDocument>;
  /** Analyzes the page of a visit, ahead of pages that wait to be read. */
  analyze(
    target: Target,
    observations: Observations,
    configuredBrands: readonly ConfiguredBrand[],
  ): Promise<AnalyzedObservations>;
}

/** Returns the threads; each starts on first use, and again after it was terminated. */
export function openPageThreads({ timeoutMs, threads, limits }: PageThreadSettings): PageThreads {
  const pool = createThreadPool(threads, startThread, (message) => {
    return new FailureError('internal_error', `the page thread failed: ${message}`);
  });
  /** Serialized form of each document that a thread returned. */
  const packed = new WeakMap<PageDocument, SharedArrayBuffer>();

  const ask = async <Kind extends PageTask['kind']>(
    task: PageTask & { kind: Kind },
    signal: AbortSignal | null = null,
  ): Promise<PageAnswers[Kind]> => {
    if (signal?.aborted) throw reasonOf(signal);
    const run = pool.run({
      // A check whose page is analyzed has completed all other steps.
      isUrgent: task.kind === 'analyze',
      begin({ worker, control }, end) {
        const onAbort = () => setStopped(control, true);
        const tooLong = () => end(new FailureError('parser_budget_exceeded'));
        const watch = watchThread(() => threadIdOf(control), timeoutMs, tooLong);
        setStopped(control, false);
        signal?.addEventListener('abort', onAbort, { once: true });
        worker.postMessage({ task, control } satisfies PageMessage);
        return () => {
          watch.stop();
          signal?.removeEventListener('abort', onAbort);
        };
      },
    });
    const leaveQueue = () => run.isWaiting() && run.end(reasonOf(signal));
    signal?.addEventListener('abort', leaveQueue, { once: true });
    try {
      // The thread answers each task with its kind of answer.
      return (await run.answer) as PageAnswers[Kind];
    } finally {
      signal?.removeEventListener('abort', leaveQueue);
    }
  };

  return {
    async read(bytes, source, signal) {
      const page = await ask({ kind: 'read', bytes, source, limits }, signal);
      const document = unpackPage(page);
      packed.set(document, page.whole);
      return document;
    },
    async analyze(target, observations, configuredBrands) {
      const { page, certificate, landing } = observations;
      if (page.state !== 'observed' || page.value.document === null) return { observations, page: null };
      const { document, ...visit } = page.value;
      try {
        const hosts = { certificate, landing };
        const whole = packed.get(document) ?? packPage(document).whole;
        return {
          observations,
          page: await ask({ kind: 'analyze', target, visit, page: whole, hosts, configuredBrands }),
        };
      } catch (error) {
        if (!(error instanceof FailureError) || error.code === 'internal_error') throw error;
        return { observations: withoutDocument(observations, error.failure), page: null };
      }
    },
    [Symbol.asyncDispose]: () => pool.close(new FailureError('aborted', 'the page threads were closed')),
  };
}

/** Returns the observations without the page, with `stopped` as the reason. */
function withoutDocument(observations: Observations, stopped: Failure): Observations {
  const { page } = observations;
  if (page.state !== 'observed') return observations;
  return { ...observations, page: { ...page, value: { ...page.value, document: null, stopped } } };
}

function reasonOf(signal: AbortSignal | null): FailureError {
  return signal?.reason instanceof FailureError ? signal.reason : new FailureError('aborted');
}

/** Starts a thread of `worker.ts` that does not keep the process alive. */
function startThread() {
  // `smol` collects garbage sooner: as fast, and 16 concurrent hostile pages take a tenth less memory.
  const worker = new Worker(workerUrl('engine/pages/worker.ts'), { smol: true });
  worker.unref();
  return { worker, control: createControl() };
}
