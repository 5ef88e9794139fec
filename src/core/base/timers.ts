import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Waits at most `ms` for a promise that has no timeout of its own; throws `late()` after that.
 *
 * A process that was blocked runs due timers before it reads its sockets. The promise therefore gets one more turn of
 * the event loop, because its result may already have arrived.
 */
export async function withTimeout<T>(
  waitedFor: Promise<T>,
  ms: number,
  late = () => new Error('it does not answer in time'),
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer = setTimeout(() => {
    timer = setTimeout(() => setImmediate(() => reject(late())), EVENT_LOOP_TURN_MS);
  }, ms);
  try {
    return await Promise.race([waitedFor, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const EVENT_LOOP_TURN_MS = 1;

/**
 * Runs work every `everyMs` and on request, never concurrently. Work that takes longer than `everyMs` is not queued.
 * The timer does not keep the process alive.
 *
 * @param work must not reject
 */
export function repeated(everyMs: number, work: () => Promise<void>) {
  let working = Promise.resolve();
  let pending = 0;
  const now = () => {
    pending++;
    working = working.then(work).then(() => void pending--);
    return working;
  };
  const timer = setInterval(() => {
    if (pending === 0) void now();
  }, everyMs);
  timer.unref();
  return {
    /** Runs the task once more; resolves when it and all earlier runs are done. */
    now,
    /** Stops the task; resolves when no run is in progress. */
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}

/** Calls `then` once when a signal aborts, immediately if it has. */
export function onceAborted(signal: AbortSignal | undefined, then: () => void): void {
  if (signal?.aborted) then();
  else signal?.addEventListener('abort', then, { once: true });
}

/**
 * Creates a function that yields between pieces of long work. Each caller resumes in its own round of the event loop,
 * so that all other work is served between two pieces.
 */
export function oncePerRound(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}
