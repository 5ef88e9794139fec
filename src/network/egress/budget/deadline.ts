import { FailureError } from '#src/core/base/failure.ts';

/** The failure that an aborted signal stands for: the one it was aborted with, else `aborted`. */
export function abortFailure(signal: AbortSignal): FailureError {
  return signal.reason instanceof FailureError ? signal.reason : new FailureError('aborted');
}

/**
 * Runs something under a deadline of its own: its signal aborts with `timeout` once that is over, and with the parent.
 * What runs must end by its signal; {@link untilAborted} makes it.
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
  // Where the machine was too busy, what is left of a longer time is less than nothing, of which the runtime would warn.
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
 * A promise that settles by `start`'s callbacks, or rejects when the signal aborts or `start` throws. Whichever comes
 * first, the clean-up that `start` returns runs once.
 */
export function untilAborted<T>(
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (error: Error) => void) => () => void,
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
        (error) => settle(() => reject(error)),
      );
      if (isSettled) cleanUp();
    } catch (error) {
      settle(() => reject(error));
    }
  });
}
