import type { Clock } from '#src/core/base/clock.ts';

/**
 * Bounds how often something may happen for each key within a period. The periods follow each other, so that up to twice as
 * much may happen in a time of that length. Memory is that of the keys of one period.
 *
 * @returns a function that returns false for a key that is over its bound
 */
export function createQueryRate(
  most: number,
  periodMs: number,
  clock: Pick<Clock, 'monotonicMs'>,
): (key: string) => boolean {
  const counts = new Map<string, number>();
  let startMs = Number.NEGATIVE_INFINITY;
  return (key) => {
    if (clock.monotonicMs() - startMs >= periodMs) {
      counts.clear();
      startMs = clock.monotonicMs();
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most;
  };
}
