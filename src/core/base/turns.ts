/** Runs work one piece at a time, in the order of its arrival. */
export interface Turns {
  /** Runs work once all earlier work is done, whether or not that failed. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** True if work waits for its turn: long work can stop early. */
  readonly isAwaited: boolean;
}

/** Creates turns that are free. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  return {
    async run(work) {
      pending++;
      const turn = last.then(work).finally(() => void pending--);
      last = turn.catch(() => {});
      return await turn;
    },
    get isAwaited() {
      return pending > 1;
    },
  };
}
