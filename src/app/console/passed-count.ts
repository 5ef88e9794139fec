import type { Clock } from '#src/core/base/clock.ts';
import { createHourlySums } from './hourly-sums.ts';

/** Items of an inline protection over the last 24 hours. */
export interface PassedCount {
  count(isUnexamined: boolean): void;
  passed(): { readonly requests: number; readonly unexamined: number };
}

/** Creates a count of nothing. */
export function createPassedCount(clock: Pick<Clock, 'now'>): PassedCount {
  const sums = createHourlySums<'examined' | 'unexamined'>(clock);
  return {
    count: (isUnexamined) => sums.count(isUnexamined ? 'unexamined' : 'examined'),
    passed() {
      const unexamined = sums.sumOf('unexamined');
      return { requests: sums.sumOf('examined') + unexamined, unexamined };
    },
  };
}
