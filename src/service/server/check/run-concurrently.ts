/** Work on items with limited concurrency. */
export interface ConcurrentWork<T> {
  /** Maximum number of items in progress; at least 1. */
  readonly limit: number;
  readonly work: (item: T) => Promise<void>;
  /** Aborted to start no further item. */
  readonly until: AbortSignal;
}

/**
 * Starts the items in order with limited concurrency. Resolves once all that were started have ended; rejects with what one
 * throws.
 */
export async function runConcurrently<T>(
  items: readonly T[],
  { limit, work, until }: ConcurrentWork<T>,
): Promise<void> {
  const left = items.values();
  const takeTurns = async () => {
    for (const item of left) {
      if (until.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeTurns));
}
