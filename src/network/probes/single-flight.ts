import { FailureError } from '#src/core/base/failure.ts';
import { untilAborted } from '#src/network/egress/budget/deadline.ts';

/** Runs `work`, or waits for the same work that somebody else has under way. */
export type Share<T> = (key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Lets those who ask for the same thing at the same time share one answer. Each leaves by its own signal. */
export function createSharing<T>(): Share<T> {
  const underWay = new Map<string, Promise<T>>();

  const start = async (key: string, work: () => Promise<T>): Promise<T> => {
    const own = work();
    underWay.set(key, own);
    try {
      return await own;
    } finally {
      if (underWay.get(key) === own) underWay.delete(key);
    }
  };

  return async (key, signal, work) => {
    const others = underWay.get(key);
    if (!others) return await start(key, work);
    try {
      return await untilAborted<T>(signal, (resolve, reject) => {
        others.then(resolve, reject);
        return () => {};
      });
    } catch (error) {
      // That somebody else was cut off is no answer.
      const isTheirs = error instanceof FailureError && error.code === 'aborted' && !signal.aborted;
      if (!isTheirs) throw error;
      return await start(key, work);
    }
  };
}
