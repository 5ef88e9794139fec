import { type Clock, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { createRecentSums, type RecentSums } from '#src/core/base/recent-sums.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';

/** Hours of the count, and minutes of the share. */
const [HOURS, MINUTES] = [24, 10];

/** Share of unexamined items from which on the operator must know. */
const MAX_SHARE = 0.01;

/** Items of an inline protection, and how many of them passed unexamined. */
export interface PassedCount {
  count(isUnexamined: boolean): void;
  /** The items of the last 24 hours. */
  passed(): { readonly requests: number; readonly unexamined: number };
  /** A notice while the share of unexamined items within the last ten minutes is above 1 %; else empty. */
  notices(): Notice[];
}

/**
 * Creates a count of nothing.
 *
 * @param code code of the notice
 * @param items name of the items in its sentence, such as `mails`
 * @param metric name of the metric that counts them by their causes
 */
export function createPassedCount(
  clock: Pick<Clock, 'now' | 'monotonicMs'>,
  { code, items, metric }: { readonly code: Notice['code']; readonly items: string; readonly metric: string },
): PassedCount {
  const day = createRecentSums<'examined' | 'unexamined'>(clock.now, HOUR_MS, HOURS);
  const minutes = createRecentSums<'examined' | 'unexamined'>(clock.monotonicMs, MINUTE_MS, MINUTES);
  return {
    count(isUnexamined) {
      for (const sums of [day, minutes]) sums.count(isUnexamined ? 'unexamined' : 'examined');
    },
    passed: () => passedIn(day),
    notices() {
      const { requests, unexamined } = passedIn(minutes);
      const share = requests === 0 ? 0 : unexamined / requests;
      if (share <= MAX_SHARE) return [];
      const percent = (100 * share).toFixed(share < 0.1 ? 1 : 0);
      const text = `Of the ${items} within the last ten minutes, ${percent} % passed unexamined: ${metric} has the causes.`;
      return [notice(code, text, { percent: Number(percent) })];
    },
  };
}

function passedIn(sums: RecentSums<'examined' | 'unexamined'>) {
  const unexamined = sums.sumOf('unexamined');
  return { requests: sums.sumOf('examined') + unexamined, unexamined };
}
