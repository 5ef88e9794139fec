import { CdpError } from '../cdp/transport.ts';
import { type BrowserPlace, type RunningBrowser, startBrowser } from './start-browser.ts';

/** State of a browser, for the operator. */
export interface BrowserState {
  /** Its name and version; null while none runs. */
  readonly product: string | null;
  /** Process group of one that was started; null otherwise. */
  readonly group: number | null;
  /** Reason that no browser runs, or that the last one ended; null if nothing is wrong. */
  readonly problem: string | null;
  /** Flags without which it sends packets past the listener of a visit, and that it was started without. */
  readonly missingGuards: readonly string[];
}

/** State of a browser that was not needed yet. */
export const IDLE_BROWSER: BrowserState = { product: null, group: null, problem: null, missingGuards: [] };

/** A browser that is started when it is first needed, and again after it has ended. */
export interface KeptBrowser extends AsyncDisposable {
  /** Throws CdpError if it does not start, and at once during the pause after a failure. */
  get(): Promise<RunningBrowser>;
}

/** Pause before the second start in a row, which doubles, in milliseconds; the first one is at once. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** A browser that ran for this long, in milliseconds, does not fail in a row. */
const STEADY_MS = 10_000;

/**
 * Keeps a browser, a program with its profiles in a folder, or a `ws://` address. `onChange` is called with each new
 * state.
 */
export function keepBrowser(
  browser: string,
  folder: BrowserPlace['folder'],
  onChange: (state: BrowserState) => void,
): KeptBrowser {
  let running: Promise<RunningBrowser> | null = null;
  let pauseMs = 0;
  let pausedUntilMs = 0;
  let problem = '';
  let isClosing = false;

  /** Resolves when the last browser that failed is gone. */
  let ending = Promise.resolve();

  const failed = (why: string, group: number | null = null) => {
    running = null;
    problem = why;
    pausedUntilMs = performance.now() + pauseMs;
    pauseMs = Math.min(Math.max(2 * pauseMs, FIRST_PAUSE_MS), MAX_PAUSE_MS);
    if (!isClosing) onChange({ ...IDLE_BROWSER, group, problem: why });
  };

  /** Ends a browser. Its group is in the state until then, so that it can be killed whatever happens to this thread. */
  const end = async (started: RunningBrowser) => {
    await started[Symbol.asyncDispose]();
    if (!isClosing) onChange({ ...IDLE_BROWSER, problem });
  };

  const start = async (): Promise<RunningBrowser> => {
    await ending;
    try {
      const started = await startBrowser(browser, {
        folder,
        onSpawn: (group) => onChange({ ...IDLE_BROWSER, group, problem: problem || null }),
      });
      const { product, group, missing } = started;
      const startedMs = performance.now();
      problem = '';
      onChange({ product, group, problem: null, missingGuards: missing.guards });
      void started.cdp.closed.then((how) => {
        if (performance.now() - startedMs > STEADY_MS) pauseMs = 0;
        failed(how === 'hung' ? `${product} does not answer` : `${product} ended unexpectedly`, group);
        ending = end(started);
      });
      return started;
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };

  return {
    async get() {
      if (isClosing) throw new CdpError('closed', 'the service is stopping');
      if (running === null && performance.now() < pausedUntilMs) throw new CdpError('closed', problem);
      running ??= start();
      return await running;
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      const started = await running?.catch(() => null);
      await started?.[Symbol.asyncDispose]();
      await ending;
    },
  };
}
