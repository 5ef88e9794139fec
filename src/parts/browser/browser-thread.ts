import { workerUrl } from '#src/core/base/threads/worker-url.ts';
import type { BrowserState } from './process/keep-browser.ts';
import { killGroup } from './process/start-browser.ts';
import type { RenderedPage } from './visit/rendered-page.ts';
import type { VisitOrder } from './visit/visit-page.ts';

/** A message to the thread. */
export type BrowserTask =
  | { readonly kind: 'open'; readonly browser: string }
  | { readonly kind: 'visit'; readonly id: number; readonly order: VisitOrder }
  | { readonly kind: 'close' };

/** A message from the thread. */
export type BrowserAnswer =
  | { readonly kind: 'state'; readonly state: BrowserState }
  | { readonly kind: 'visited'; readonly id: number; readonly page: RenderedPage }
  | { readonly kind: 'failed'; readonly id: number; readonly status: 'timeout' | 'error'; readonly problem: string }
  | { readonly kind: 'closed' };

/** Outcome of a visit: the page, or why there is none. */
export type VisitOutcome =
  | { readonly page: RenderedPage }
  | { readonly status: 'timeout' | 'error'; readonly problem: string };

/** The thread that drives the browser: no message of a browser, however large, delays the serving thread. */
export interface BrowserThread extends AsyncDisposable {
  /** Visits a page; ends soon after the time of the order. */
  visit(order: VisitOrder): Promise<VisitOutcome>;
  readonly state: BrowserState;
}

/** Time beyond that of a visit after which its thread is considered hung, in milliseconds. */
const GRACE_MS = 30_000;
/** Time for the browser to end when the service stops, in milliseconds. */
const CLOSE_MS = 5000;
/** Pause before a thread is started again that failed, in milliseconds. */
const PAUSE_MS = 5000;

const IDLE: BrowserState = { product: null, group: null, problem: null };

/**
 * Opens a browser, a program or a `ws://` address; it starts at the first visit.
 *
 * @param onChange called when it starts, fails and ends
 */
export function openBrowserThread(browser: string, onChange: (state: BrowserState) => void): BrowserThread {
  const visits = new Map<number, (outcome: VisitOutcome) => void>();
  const closed = Promise.withResolvers<void>();
  let worker: Worker | null = null;
  let state = IDLE;
  let pausedUntilMs = 0;
  let last = 0;

  const change = (next: BrowserState) => {
    state = next;
    onChange(next);
  };
  const end = (id: number, outcome: VisitOutcome) => {
    visits.get(id)?.(outcome);
    visits.delete(id);
  };
  const fail = (problem: string) => {
    worker?.terminate();
    worker = null;
    killGroup(state.group);
    pausedUntilMs = performance.now() + PAUSE_MS;
    change({ ...IDLE, problem });
    for (const id of [...visits.keys()]) end(id, { status: 'error', problem });
    closed.resolve();
  };
  const take = (answer: BrowserAnswer) => {
    if (answer.kind === 'state') change(answer.state);
    else if (answer.kind === 'visited') end(answer.id, { page: answer.page });
    else if (answer.kind === 'failed') end(answer.id, answer);
    else closed.resolve();
  };
  const start = (): Worker => {
    const started = new Worker(workerUrl('parts/browser/browser-worker.ts'), { smol: true });
    started.unref();
    started.onmessage = ({ data }: MessageEvent<BrowserAnswer>) => take(data);
    started.onerror = ({ message }) => fail(`the thread of the browser failed: ${message}`);
    started.postMessage({ kind: 'open', browser } satisfies BrowserTask);
    return started;
  };

  return {
    get state() {
      return state;
    },
    async visit(order) {
      if (worker === null && performance.now() < pausedUntilMs) {
        return { status: 'error', problem: state.problem ?? 'the browser is starting' };
      }
      worker ??= start();
      const id = ++last;
      const { promise, resolve } = Promise.withResolvers<VisitOutcome>();
      visits.set(id, resolve);
      worker.postMessage({ kind: 'visit', id, order } satisfies BrowserTask);
      const timer = setTimeout(() => fail('the thread of the browser does not answer'), order.timeoutMs + GRACE_MS);
      timer.unref();
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    },
    async [Symbol.asyncDispose]() {
      if (worker === null) return;
      worker.postMessage({ kind: 'close' } satisfies BrowserTask);
      const timer = setTimeout(() => closed.resolve(), CLOSE_MS);
      await closed.promise;
      clearTimeout(timer);
      killGroup(state.group);
      worker.terminate();
    },
  };
}
