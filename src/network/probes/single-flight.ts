import { FailureError } from '#src/core/base/failure.ts';
import { untilAborted } from '#src/network/egress/budget/deadline.ts';

/** Runs `work`, or waits for work with the same key that is in flight. */
export type SingleFlight<T> = (key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Creates a function that shares one result between concurrent callers. Each caller has its own signal. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const inFlight = new Map<string, Promise<T>>();

  const start = async (key: string, work: () => Promise<T>): Promise<T> => {
    const own = work();
    inFlight.set(key, own);
    try {
      return await own;
    } finally {
      if (inFlight.get(key) === own) inFlight.delete(key);
    }
  };

  return async (key, signal, work) => {
    const others = inFlight.get(key);
    if (!others) return await start(key, work);
    try {
      return await untilAborted<T>(signal, (resolve, reject) => {
        others.then(resolve, reject);
        return () => {};
      });
    } catch (error) {
      // The other caller was aborted, which is not a result.
      const isTheirs = error instanceof FailureError && error.code === 'aborted' && !signal.aborted;
      if (!isTheirs) throw error;
      return await start(key, work);
    }
  };
}
