import { FailureError } from '#src/core/base/failure.ts';
import { untilAborted } from './deadline.ts';

/** Lets a bounded number in at a time. */
export interface Gate {
  /** Waits for a place, which is given back by disposing of it. Fails with `overloaded` where the queue is full too. */
  enter(signal: AbortSignal): Promise<Disposable>;
}

/** A gate with `limit` places and a queue of `queueLimit`, first come, first served. */
export function createGate(limit: number, queueLimit: number): Gate {
  const waiting = new Set<(place: Disposable) => void>();
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
    enter(signal) {
      if (inside < limit && waiting.size === 0) return Promise.resolve(take());
      if (waiting.size >= queueLimit) return Promise.reject(new FailureError('overloaded'));
      return untilAborted<Disposable>(signal, (resolve) => {
        waiting.add(resolve);
        return () => waiting.delete(resolve);
      });
    },
  };
}

/** A gate for each key; entered as {@link Gate.enter} says. */
export type KeyedGate = (key: string, signal: AbortSignal) => Promise<Disposable>;

/** Gates alike; the one of a key is forgotten once nobody is inside or waiting. */
export function createKeyedGate(limit: number, queueLimit: number): KeyedGate {
  const gates = new Map<string, { readonly gate: Gate; users: number }>();
  return async (key, signal) => {
    const entry = gates.get(key) ?? { gate: createGate(limit, queueLimit), users: 0 };
    gates.set(key, entry);
    entry.users++;
    const leave = () => {
      entry.users--;
      if (entry.users === 0) gates.delete(key);
    };
    try {
      const place = await entry.gate.enter(signal);
      let isHeld = true;
      return {
        [Symbol.dispose]() {
          if (!isHeld) return;
          isHeld = false;
          place[Symbol.dispose]();
          leave();
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  };
}
