/** Work on items that wait for nothing but the log. */
export interface WorkInTurns<T> {
  readonly work: (item: T) => Promise<void>;
  /** Estimate of the work on an item, such as the length of its text; a turn takes at most {@link MAX_WEIGHT}. */
  readonly weightOf: (item: T) => number;
  /** Aborted to start no further item. */
  readonly until: AbortSignal;
}

/** Maximum weight of a turn, unless a single item has more: some 16 ordinary URLs. */
const MAX_WEIGHT = 2048;

/** Maximum number of items in a turn, and that of the first, since cold code takes several times longer. */
const MAX_ITEMS = 16;
const FIRST_ITEMS = 2;

/** Turns that take longer are followed by one with half as many items, in milliseconds. */
const LONG_MS = 4;

/**
 * Starts the items in order, some in each turn of the event loop: they go through each stage together, while its code is in
 * the processor's caches, and other work comes in between. Resolves once all that were started have ended; rejects with what
 * one throws.
 */
export async function runInTurns<T extends object>(
  items: readonly T[],
  { work, weightOf, until }: WorkInTurns<T>,
): Promise<void> {
  const started: Promise<PromiseSettledResult<void>[]>[] = [];
  let most = FIRST_ITEMS;
  for (let next = 0; next < items.length && !until.aborted; ) {
    const beganMs = performance.now();
    const turn: Promise<void>[] = [];
    let weight = 0;
    for (let item = items[next]; item !== undefined && turn.length < most; item = items[++next]) {
      weight += weightOf(item);
      if (turn.length > 0 && weight > MAX_WEIGHT) break;
      turn.push(work(item));
    }
    started.push(Promise.allSettled(turn));
    await new Promise(setImmediate);
    const isLong = performance.now() - beganMs > LONG_MS;
    most = isLong ? Math.max(1, most >> 1) : Math.min(MAX_ITEMS, most * 2);
  }
  for (const ended of (await Promise.all(started)).flat()) if (ended.status === 'rejected') throw ended.reason;
}
