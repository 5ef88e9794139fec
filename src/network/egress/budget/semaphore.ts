import { FailureError } from '#src/core/base/failure.ts';

/** A counting semaphore. */
export interface Semaphore {
  /** Waits for a permit; disposing of the permit releases it. Fails with `overloaded` if the queue is full. */
  acquire(signal: AbortSignal): Promise<Disposable>;
}

/** Creates a semaphore with `limit` permits and a FIFO queue of at most `queueLimit` callers. */
export function createSemaphore(limit: number, queueLimit: number): Semaphore {
  const waiting = new Set<(permit: Disposable) => void>();
  let inside = 0;

  const take = (): Disposable => {
    inside++;
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (!isHeld) return;
        isHeld = false;
        inside--;
        const [next] = waiting;
        next?.(take());
      },
    };
  };

  return {
    acquire(signal) {
      if (inside < limit && waiting.size === 0) return Promise.resolve(take());
      if (waiting.size >= queueLimit) return Promise.reject(new FailureError('overloaded'));
      return untilAborted<Disposable>(signal, (resolve) => {
        waiting.add(resolve);
        return () => waiting.delete(resolve);
      });
    },
  };
}

/** A semaphore per key; see {@link Semaphore.acquire}. */
export type KeyedSemaphore = (key: string, signal: AbortSignal) => Promise<Disposable>;

/** Creates semaphores with equal limits. That of a key is freed when it has no permits or waiting callers. */
export function createKeyedSemaphore(limit: number, queueLimit: number): KeyedSemaphore {
  const semaphores = new Map<string, { readonly semaphore: Semaphore; users: number }>();
  return async (key, signal) => {
    const entry = semaphores.get(key) ?? { semaphore: createSemaphore(limit, queueLimit), users: 0 };
    semaphores.set(key, entry);
    entry.users++;
    const leave = () => {
      entry.users--;
      if (entry.users === 0) semaphores.delete(key);
    };
    try {
      const permit = await entry.semaphore.acquire(signal);
      let isHeld = true;
      return {
        [Symbol.dispose]() {
          if (!isHeld) return;
          isHeld = false;
          permit[Symbol.dispose]();
          leave();
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/** Returns the failure that a signal was aborted with; `aborted` for any other reason. */
export function abortFailure(signal: AbortSignal): FailureError {
  return signal.reason instanceof FailureError ? signal.reason : new FailureError('aborted');
}

/**
 * Runs a function with a signal that aborts with `timeout` after `timeoutMs`, and with the parent. The function must
 * end when the signal aborts; see {@link untilAborted}.
 */
export async function withDeadline<T>(
  parent: AbortSignal,
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (parent.aborted) throw abortFailure(parent);
  const controller = new AbortController();
  const onAbort = () => controller.abort(abortFailure(parent));
  parent.addEventListener('abort', onAbort, { once: true });
  // On a busy host the rest of a longer deadline can be negative, for which the runtime prints a warning.
  const leftMs = Math.max(timeoutMs, 0);
  const timer = setTimeout(
    () => controller.abort(new FailureError('timeout', `no answer within ${leftMs} ms`)),
    leftMs,
  );
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    parent.removeEventListener('abort', onAbort);
  }
}

/**
 * Returns a promise that settles by `start`'s callbacks, or rejects when the signal aborts or `start` throws. The
 * clean-up function that `start` returns runs exactly once. An error that is passed as a function is made only if it is the first
 * to end the promise: every connection closes in the end.
 */
export function untilAborted<T>(
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (error: Error | (() => Error)) => void) => () => void,
): Promise<T> {
  if (signal.aborted) return Promise.reject(abortFailure(signal));
  return new Promise<T>((resolve, reject) => {
    let cleanUp: (() => void) | null = null;
    let isSettled = false;
    const settle = (end: () => void) => {
      if (isSettled) return;
      isSettled = true;
      signal.removeEventListener('abort', onAbort);
      cleanUp?.();
      end();
    };
    const onAbort = () => settle(() => reject(abortFailure(signal)));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      cleanUp = start(
        (value) => settle(() => resolve(value)),
        (error) => settle(() => reject(typeof error === 'function' ? error() : error)),
      );
      if (isSettled) cleanUp();
    } catch (error) {
      settle(() => reject(error));
    }
  });
}
