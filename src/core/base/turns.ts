/** Work was given up because its turns ended. */
export class TurnsEndedError extends Error {
  override readonly name = 'TurnsEndedError';
}

/** Runs work one piece at a time, in the order of its arrival. */
export interface Turns {
  /** Runs work once all earlier work is done, whether or not that failed. Throws TurnsEndedError once the turns end. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** True if work waits for its turn: long work can stop early. */
  readonly isAwaited: boolean;
  /** Ends the turns: waits no longer for the work in progress, and begins no more. */
  end(): void;
}

/** Creates turns that are free. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  const pending = new Set<(error: TurnsEndedError) => void>();
  let isEnded = false;
  const ended = () => new TurnsEndedError('the service is stopping');
  return {
    async run<T>(work: () => Promise<T>) {
      if (isEnded) throw ended();
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      pending.add(reject);
      last = last
        .then(async () => {
          if (!isEnded) resolve(await work());
        })
        .catch(reject)
        .finally(() => pending.delete(reject));
      return await promise;
    },
    get isAwaited() {
      return pending.size > 1;
    },
    end() {
      isEnded = true;
      for (const reject of pending) reject(ended());
    },
  };
}
