/** What may be done with the parts of a work, and how. */
export interface InTurns<T> {
  /** How many are under way at a time, from 1. */
  readonly limit: number;
  readonly work: (item: T) => Promise<void>;
  /** Aborted where no further part is to be begun. */
  readonly until: AbortSignal;
}

/** Begins the parts in order, some at a time. Resolves once all that were begun have ended; rejects with what one throws. */
export async function inTurns<T>(items: readonly T[], { limit, work, until }: InTurns<T>): Promise<void> {
  const left = items.values();
  const takeTurns = async () => {
    for (const item of left) {
      if (until.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeTurns));
}
