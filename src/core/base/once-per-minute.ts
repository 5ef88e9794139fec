import { type Clock, MINUTE_MS } from './clock.ts';

/**
 * Reports something that third parties can make happen at any rate: the first time at once, then at most once per minute.
 *
 * @param report gets the latest value and how often it happened since the last report
 */
export function oncePerMinute<T>(
  clock: Pick<Clock, 'monotonicMs'>,
  report: (value: T, times: number) => void,
): (value: T) => void {
  let times = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (value) => {
    times++;
    if (clock.monotonicMs() - reportedMs < MINUTE_MS) return;
    report(value, times);
    times = 0;
    reportedMs = clock.monotonicMs();
  };
}
