import { type Clock, MINUTE_MS } from '#src/core/base/clock.ts';
import { type Notice, notice } from '#src/core/base/text/notice.ts';

/** Minutes over which the share counts. */
const MINUTES = 10;
/** Share of unexamined items from which on the operator must know. */
const MAX_SHARE = 0.01;

/** Share of items of an inline protection that passed unexamined within the last ten minutes. */
export interface UnexaminedShare {
  count(isUnexamined: boolean): void;
  /** A notice while the share is above 1 %; else empty. */
  notices(): Notice[];
}

/**
 * Creates a share of nothing. It is counted per minute.
 *
 * @param code code of the notice
 * @param items name of the items in its sentence, such as `mails`
 * @param metric name of the metric that counts them by their causes
 */
export function createUnexaminedShare(
  clock: Pick<Clock, 'monotonicMs'>,
  { code, items, metric }: { readonly code: Notice['code']; readonly items: string; readonly metric: string },
): UnexaminedShare {
  const minutes: { readonly minute: number; all: number; unexamined: number }[] = [];
  const drop = (minute: number) => {
    while (minutes[0] && minutes[0].minute <= minute - MINUTES) minutes.shift();
  };
  return {
    count(isUnexamined) {
      const minute = Math.floor(clock.monotonicMs() / MINUTE_MS);
      let last = minutes.at(-1);
      if (last?.minute !== minute) {
        drop(minute);
        last = { minute, all: 0, unexamined: 0 };
        minutes.push(last);
      }
      last.all += 1;
      if (isUnexamined) last.unexamined += 1;
    },
    notices() {
      drop(Math.floor(clock.monotonicMs() / MINUTE_MS));
      const all = minutes.reduce((sum, one) => sum + one.all, 0);
      const share = all === 0 ? 0 : minutes.reduce((sum, one) => sum + one.unexamined, 0) / all;
      if (share <= MAX_SHARE) return [];
      const percent = (100 * share).toFixed(share < 0.1 ? 1 : 0);
      const text = `Of the ${items} within the last ten minutes, ${percent} % passed unexamined: ${metric} has the causes.`;
      return [notice(code, text, { percent: Number(percent) })];
    },
  };
}
