/** Batches requests into one transaction. */
export interface GroupCommit<T> {
  /** Resolves once the transaction with `item` is on disk; rejects with the error of that transaction. */
  add(item: T): Promise<void>;
  /** Commits the queued requests. */
  flush(): void;
  /** Holds requests during some work. */
  holdDuring<R>(work: () => Promise<R>): Promise<R>;
  /** Resolves when no work holds requests. */
  unlessHeld(): Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Pace of commits. */
export interface CommitPace {
  /** Least time between the starts of two commits, in milliseconds; 0: every turn of the event loop commits. */
  readonly intervalMs: number;
  readonly monotonicMs: () => number;
}

/**
 * Collects requests and hands them to `commit` as one batch: at the end of this turn of the event loop, or as soon as the
 * interval since the last commit is over.
 */
export function createGroupCommit<T>(
  commit: (items: readonly T[]) => void,
  { intervalMs, monotonicMs }: CommitPace = { intervalMs: 0, monotonicMs: () => 0 },
): GroupCommit<T> {
  let waiting: Waiting<T>[] = [];
  let holds = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let released = Promise.resolve();

  function flush(): void {
    const batch = waiting;
    waiting = [];
    lastMs = monotonicMs();
    if (batch.length > 0 && !commitTogether(batch)) for (const request of batch) commitAlone(request);
  }

  function commitTogether(batch: readonly Waiting<T>[]): boolean {
    try {
      commit(batch.map(({ item }) => item));
    } catch {
      // Each is retried alone: one bad record must not reject the others.
      return false;
    }
    for (const { resolve } of batch) resolve();
    return true;
  }

  function commitAlone({ item, resolve, reject }: Waiting<T>): void {
    try {
      commit([item]);
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  function flushUnlessHeld(): void {
    if (holds === 0) flush();
  }

  function schedule(): void {
    const remainingMs = lastMs + intervalMs - monotonicMs();
    if (remainingMs > 0) setTimeout(flushUnlessHeld, remainingMs);
    else setImmediate(flushUnlessHeld);
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        if (waiting.push({ item, resolve, reject }) === 1) schedule();
      });
    },
    flush,
    async holdDuring(work) {
      holds++;
      const { promise, resolve } = Promise.withResolvers<void>();
      released = Promise.all([released, promise]).then(() => {});
      try {
        return await work();
      } finally {
        holds--;
        resolve();
        flushUnlessHeld();
      }
    },
    async unlessHeld() {
      while (holds > 0) await released;
    },
  };
}
