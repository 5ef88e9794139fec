import { FailureError } from '#src/core/base/failure.ts';

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
 * clean-up function that `start` returns runs exactly once.
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
