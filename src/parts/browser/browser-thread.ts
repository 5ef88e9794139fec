import {
  makeScratchFolder,
  removeAbandonedScratch,
  type ScratchFolder,
} from '#src/checks/store/file/scratch-folder.ts';
import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import { onceAborted } from '#src/core/base/timers.ts';
import { type BrowserState, IDLE_BROWSER } from './process/keep-browser.ts';
import { isBrowserAddress, killGroup } from './process/start-browser.ts';
import type { RenderedPage } from './visit/rendered-page.ts';
import type { VisitOrder } from './visit/visit-page.ts';

/** A message to the thread. */
export type BrowserTask =
  | { readonly kind: 'open'; readonly browser: string; readonly folder: string }
  | { readonly kind: 'visit'; readonly id: number; readonly order: VisitOrder }
  | { readonly kind: 'close' };

/** A message from the thread. */
export type BrowserAnswer =
  | { readonly kind: 'state'; readonly state: BrowserState }
  | { readonly kind: 'visited'; readonly id: number; readonly page: RenderedPage }
  | { readonly kind: 'failed'; readonly id: number; readonly status: 'timeout' | 'error'; readonly problem: string }
  | { readonly kind: 'left'; readonly id: number }
  | { readonly kind: 'closed' };

/** Outcome of a visit: the page, or why there is none. */
export type VisitOutcome =
  | { readonly page: RenderedPage }
  | { readonly status: 'timeout' | 'error'; readonly problem: string };

/** A visit in progress. */
export interface BrowserVisit {
  /** Resolves at the end of the order's time at the latest, and when the signal aborts. */
  readonly outcome: Promise<VisitOutcome>;
  /** Resolves when the browser has thrown the page away. */
  readonly left: Promise<void>;
}

/** The thread that drives the browser: no message of a browser, however large, delays the serving thread. */
export interface BrowserThread extends AsyncDisposable {
  visit(order: VisitOrder, signal: AbortSignal): BrowserVisit;
  readonly state: BrowserState;
}

/** Time beyond that of a visit after which its thread is considered hung, in milliseconds. */
const GRACE_MS = 30_000;
/** Time for the browser to end when the service stops, in milliseconds. */
const CLOSE_MS = 5000;
/** Pause before a thread is started again that failed, in milliseconds. */
const PAUSE_MS = 5000;
/** Beginning of the names of folders for profiles. */
const FOLDER = 'lurecheck-browser-';

interface Awaited {
  end(outcome: VisitOutcome): void;
  leave(): void;
}

/** A visit for which there is no browser. */
const notBegun = (problem: string): BrowserVisit => ({
  outcome: Promise.resolve({ status: 'error', problem }),
  left: Promise.resolve(),
});

/**
 * Opens a browser, a program or a `ws://` address; it starts at the first visit.
 *
 * @param onChange called when it starts, fails and ends
 */
export function openBrowserThread(browser: string, onChange: (state: BrowserState) => void): BrowserThread {
  const visits = new Map<number, Awaited>();
  const closed = Promise.withResolvers<void>();
  let running: { readonly worker: Worker; readonly folder: ScratchFolder | null } | null = null;
  let state = IDLE_BROWSER;
  let stopped = isBrowserAddress(browser) ? Promise.resolve() : removeAbandonedScratch(FOLDER);
  let pausedUntilMs = 0;
  let last = 0;

  const change = (next: BrowserState) => {
    state = next;
    onChange(next);
  };
  const leave = (id: number) => {
    visits.get(id)?.leave();
    visits.delete(id);
  };
  /** Ends the thread, and what it would have ended: the browser and its folder. */
  const stop = () => {
    running?.worker.terminate();
    killGroup(state.group);
    const folder = running?.folder;
    if (folder) stopped = stopped.then(() => folder[Symbol.asyncDispose]());
    running = null;
  };
  const fail = (problem: string) => {
    stop();
    pausedUntilMs = performance.now() + PAUSE_MS;
    change({ ...IDLE_BROWSER, problem });
    for (const [id, { end }] of visits) {
      end({ status: 'error', problem });
      leave(id);
    }
    closed.resolve();
  };
  const take = (answer: BrowserAnswer) => {
    if (answer.kind === 'state') change(answer.state);
    else if (answer.kind === 'visited') visits.get(answer.id)?.end({ page: answer.page });
    else if (answer.kind === 'failed') visits.get(answer.id)?.end(answer);
    else if (answer.kind === 'left') leave(answer.id);
    else closed.resolve();
  };
  const start = () => {
    // A browser at an address has profiles of its own. If there is no room for a folder, no thread is left behind.
    const folder = isBrowserAddress(browser) ? null : makeScratchFolder(FOLDER);
    const worker = new Worker(workerUrl('parts/browser/browser-worker.ts'), { smol: true });
    worker.unref();
    worker.onmessage = ({ data }: MessageEvent<BrowserAnswer>) => {
      // What a thread sent before it was stopped is about a browser that is gone.
      if (running?.worker === worker) take(data);
    };
    worker.onerror = ({ message }) => {
      if (running?.worker === worker) fail(`the thread of the browser failed: ${message}`);
    };
    worker.postMessage({ kind: 'open', browser, folder: folder?.path ?? '' } satisfies BrowserTask);
    return { worker, folder };
  };

  return {
    get state() {
      return state;
    },
    visit(order, signal) {
      if (running === null && performance.now() < pausedUntilMs) {
        return notBegun(state.problem ?? 'the browser is starting');
      }
      try {
        running ??= start();
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        fail(problem);
        return notBegun(problem);
      }
      const id = ++last;
      const outcome = Promise.withResolvers<VisitOutcome>();
      const left = Promise.withResolvers<void>();
      const late = () => outcome.resolve({ status: 'timeout', problem: `no page within ${order.timeoutMs} ms` });
      const timer = setTimeout(late, order.timeoutMs);
      const watchdog = setTimeout(() => fail('the thread of the browser does not answer'), order.timeoutMs + GRACE_MS);
      for (const one of [timer, watchdog]) one.unref();
      onceAborted(signal, late);
      void outcome.promise.then(() => clearTimeout(timer));
      void left.promise.then(() => clearTimeout(watchdog));
      visits.set(id, { end: outcome.resolve, leave: left.resolve });
      running.worker.postMessage({ kind: 'visit', id, order } satisfies BrowserTask);
      return { outcome: outcome.promise, left: left.promise };
    },
    async [Symbol.asyncDispose]() {
      if (running === null) return await stopped;
      running.worker.postMessage({ kind: 'close' } satisfies BrowserTask);
      const timer = setTimeout(() => closed.resolve(), CLOSE_MS);
      await closed.promise;
      clearTimeout(timer);
      stop();
      await stopped;
    },
  };
}
