import { FailureError } from '#src/core/base/failure.ts';
import { untilAborted } from './deadline.ts';

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
