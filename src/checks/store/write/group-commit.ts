/** Requests that wait for one transaction to keep them all. */
export interface GroupCommit<T> {
  /** Resolves once the transaction that holds `item` is on the disk; rejects with what made that transaction fail. */
  add(item: T): Promise<void>;
  /** Commits what waits now. */
  flush(): void;
  /** Lets requests wait until what is done meanwhile has ended. */
  holdDuring<R>(work: () => Promise<R>): Promise<R>;
  /** Resolves as soon as nothing holds requests. */
  unlessHeld(): Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Collects what one turn of the event loop brings, and hands it to `commit` as one batch when the turn ends. */
export function createGroupCommit<T>(commit: (items: readonly T[]) => void): GroupCommit<T> {
  let waiting: Waiting<T>[] = [];
  let holds = 0;
  let released = Promise.resolve();

  function flush(): void {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0 && !commitTogether(batch)) for (const request of batch) commitAlone(request);
  }

  function commitTogether(batch: readonly Waiting<T>[]): boolean {
    try {
      commit(batch.map(({ item }) => item));
    } catch {
      // Each is tried alone and told its own reason: one bad record must not refuse the others.
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

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        if (waiting.push({ item, resolve, reject }) === 1) setImmediate(flushUnlessHeld);
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
