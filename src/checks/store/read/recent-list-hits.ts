import { setImmediate } from 'node:timers/promises';
import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import type { ScanLog } from '../scan-log.ts';
import { StoreError } from '../store-error.ts';
import { type HitsByList, MAX_COUNTED_ENTRIES } from './list-hits.ts';

/** Number of days whose hits are counted. */
export const HIT_DAYS = 30;

/** Counts are used for this multiple of the time that they took, at least 5 seconds. */
const AGE_FACTOR = 20;
const LEAST_AGE_MS = 5000;

/** Creates a reader of the hits of the lists in the last days; null if the log cannot be read. It counts once at a time. */
export function createListHits(log: Pick<ScanLog, 'listHits'>, clock: Clock): () => Promise<HitsByList | null> {
  let counting: Promise<HitsByList | null> | null = null;
  let untilMs = 0;

  async function count(): Promise<HitsByList | null> {
    const beganMs = clock.monotonicMs();
    try {
      return await log.listHits(clock.now() - HIT_DAYS * DAY_MS);
    } catch (error) {
      if (error instanceof StoreError || error instanceof UnavailableError) return null;
      throw error;
    } finally {
      const nowMs = clock.monotonicMs();
      untilMs = nowMs + Math.max(LEAST_AGE_MS, AGE_FACTOR * (nowMs - beganMs));
    }
  }

  return () => {
    if (counting === null || clock.monotonicMs() >= untilMs) {
      untilMs = Number.POSITIVE_INFINITY;
      counting = count();
    }
    return counting;
  };
}

/** Returns the hits of an entry; null if they are not known. */
export function hitsOf(hits: HitsByList | null, list: string, entry: string): number | null {
  if (hits === null) return null;
  const counted = hits.get(list);
  return counted?.entries.get(entry) ?? (counted && counted.entries.size >= MAX_COUNTED_ENTRIES ? null : 0);
}

/** Maximum number of entries of a list that are ordered by their hits; the others count as having none. */
const MAX_RANKED = 5000;

/** Entries that a turn of the event loop passes over, in less than a millisecond. */
const ENTRIES_PER_TURN = 10_000;

/** Returns the entries with the most hits by list, which are handed to another thread. */
export async function mostHit(hits: HitsByList | null): Promise<Map<string, ReadonlyMap<string, number>>> {
  const ranked = new Map<string, ReadonlyMap<string, number>>();
  for (const [list, { entries }] of hits ?? []) {
    if (entries.size <= MAX_RANKED) {
      ranked.set(list, entries);
      continue;
    }
    const sizes = new Map<number, number>();
    await inTurns(entries, ([, count]) => sizes.set(count, (sizes.get(count) ?? 0) + 1));
    const least = leastOf(sizes);
    const most = new Map<string, number>();
    await inTurns(entries, ([entry, count]) => {
      if (count >= least && most.size < MAX_RANKED) most.set(entry, count);
    });
    ranked.set(list, most);
  }
  return ranked;
}

async function inTurns<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  let visited = 0;
  for (const item of items) {
    if (visited++ % ENTRIES_PER_TURN === 0) await setImmediate();
    visit(item);
  }
}

/** Returns the least number of hits that few enough entries have, by the number of entries of each number of hits. */
function leastOf(sizes: ReadonlyMap<number, number>): number {
  let [least, ranked] = [Number.POSITIVE_INFINITY, 0];
  for (const [count, size] of [...sizes].toSorted(([a], [b]) => b - a)) {
    if (ranked > 0 && ranked + size > MAX_RANKED) break;
    [least, ranked] = [count, ranked + size];
  }
  return least;
}
