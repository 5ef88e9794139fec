/** Batches requests into one transaction. */
export interface GroupCommit<T> {
  /** Resolves once the transaction with `item` is on disk; rejects with the error of that transaction. */
  add(item: T): Promise<void>;
  /** Brings all requests to the disk before it returns. */
  flush(): void;
  /**
   * Holds requests during some work. Its argument resolves once all earlier requests are on disk; work that needs no such
   * moment, because it syncs by itself, runs beside their sync.
   */
  holdDuring<R>(work: (earlier: Promise<unknown>) => Promise<R>): Promise<R>;
  /** Resolves when no work holds requests. */
  unlessHeld(): Promise<void>;
}

/** Transactions, and their way to the disk. */
export interface Commits<T> {
  /** Writes a batch as one transaction, and returns a function that is called when its sync has ended. */
  write(items: readonly T[]): (isOnDisk: boolean) => void;
  /** Resolves once everything that was written before the call is on disk. */
  sync(): Promise<void>;
  /** As {@link sync}, before it returns. */
  syncNow(): void;
}

interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Requests of a transaction that may not be on disk yet. */
interface Written<T> {
  readonly requests: readonly Waiting<T>[];
  readonly onSynced: (isOnDisk: boolean) => void;
}

/** A sync in progress. */
interface Sync<T> {
  /** Transactions that it covers; none once they are settled. */
  transactions: readonly Written<T>[];
  ended: Promise<void>;
}

/** Syncs in progress at a time: with one alone, a request would wait for the rest of another's before its own. */
const MAX_SYNCS = 2;

/** Pace of commits. */
export interface CommitPace {
  /** Least time between the starts of two commits, in milliseconds; 0: every turn of the event loop commits. */
  readonly intervalMs: number;
  readonly monotonicMs: () => number;
}

/**
 * Collects requests and writes them as one batch: at the end of this turn of the event loop, or as soon as the interval since
 * the last commit is over. The event loop goes on while a batch is brought to the disk, and requests that arrive meanwhile
 * are the next batch.
 */
export function createGroupCommit<T>(
  { write, sync, syncNow }: Commits<T>,
  { intervalMs, monotonicMs }: CommitPace = { intervalMs: 0, monotonicMs: () => 0 },
): GroupCommit<T> {
  let waiting: Waiting<T>[] = [];
  let written: Written<T>[] = [];
  const syncs = new Set<Sync<T>>();
  /** Number of failed syncs, and the error of the last one. */
  let failures = 0;
  let lastFailure: unknown;
  let holds = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let released = Promise.resolve();

  function writeBatch(): void {
    const batch = waiting;
    waiting = [];
    lastMs = monotonicMs();
    // Each is retried alone: one bad record must not reject the others.
    if (batch.length > 0 && !writeTogether(batch)) for (const request of batch) writeAlone(request);
  }

  function writeTogether(requests: readonly Waiting<T>[]): boolean {
    try {
      written.push({ requests, onSynced: write(requests.map(({ item }) => item)) });
      return true;
    } catch {
      return false;
    }
  }

  function writeAlone(request: Waiting<T>): void {
    try {
      written.push({ requests: [request], onSynced: write([request.item]) });
    } catch (error) {
      request.reject(error);
    }
  }

  function startSync(): void {
    const begun: Sync<T> = { transactions: written, ended: Promise.resolve() };
    written = [];
    const earlier = [...syncs].map(({ ended }) => ended);
    syncs.add(begun);
    begun.ended = endSync(begun, earlier);
  }

  async function endSync(begun: Sync<T>, earlier: readonly Promise<void>[]): Promise<void> {
    const failuresBefore = failures;
    try {
      await sync();
    } catch (error) {
      failures++;
      lastFailure = error;
    }
    // Transactions settle in their order, which the ledger relies on.
    await Promise.all(earlier);
    syncs.delete(begun);
    // Where an earlier sync failed meanwhile, what is behind its transactions in the log cannot be read either.
    settle(begun.transactions, failures === failuresBefore ? null : { error: lastFailure });
    if (waiting.length > 0) schedule();
  }

  function commitUnlessHeld(): void {
    // At the end of a sync or of the work, requests are scheduled again.
    if (holds > 0 || syncs.size === MAX_SYNCS) return;
    writeBatch();
    if (written.length > 0) startSync();
  }

  function schedule(): void {
    const remainingMs = lastMs + intervalMs - monotonicMs();
    if (remainingMs > 0) setTimeout(commitUnlessHeld, remainingMs);
    else setImmediate(commitUnlessHeld);
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        if (waiting.push({ item, resolve, reject }) === 1 && syncs.size < MAX_SYNCS) schedule();
      });
    },
    flush() {
      writeBatch();
      const transactions = [...[...syncs].flatMap((begun) => begun.transactions), ...written];
      for (const begun of syncs) begun.transactions = [];
      written = [];
      if (transactions.length === 0) return;
      try {
        syncNow();
        settle(transactions, null);
      } catch (error) {
        settle(transactions, { error });
      }
    },
    async holdDuring(work) {
      holds++;
      const { promise, resolve } = Promise.withResolvers<void>();
      released = Promise.all([released, promise]).then(() => {});
      try {
        return await work(Promise.all([...syncs].map(({ ended }) => ended)));
      } finally {
        holds--;
        resolve();
        if (waiting.length > 0) schedule();
      }
    },
    async unlessHeld() {
      while (holds > 0) await released;
    },
  };
}

/** Settles the requests of transactions after their sync, with its error if it failed. */
function settle<T>(transactions: readonly Written<T>[], failure: { readonly error: unknown } | null): void {
  for (const { requests, onSynced } of transactions) {
    onSynced(failure === null);
    for (const { resolve, reject } of requests) failure === null ? resolve() : reject(failure.error);
  }
}
