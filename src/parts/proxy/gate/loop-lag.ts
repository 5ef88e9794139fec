import type { Clock } from '#src/core/base/clock.ts';

/** Lag of the event loop from which on requests pass unexamined, in milliseconds. */
const MAX_LAG_MS = 50;
const TICK_MS = 25;

/** Watches how late the event loop is. */
interface LoopLag extends Disposable {
  /** True if events have waited for longer than {@link MAX_LAG_MS}. */
  isBehind(): boolean;
}

/** Starts to watch. After a stall the loop counts as behind until a timer is on time again, when the backlog is worked off. */
export function watchLoopLag(clock: Pick<Clock, 'monotonicMs'>): LoopLag {
  const lag = createLoopLag(clock);
  const timer = setInterval(lag.tick, TICK_MS);
  timer.unref();
  return { isBehind: lag.isBehind, [Symbol.dispose]: () => clearInterval(timer) };
}

/** The measurement without its timer: `tick` is due every 25 ms. */
export function createLoopLag(clock: Pick<Clock, 'monotonicMs'>) {
  let dueMs = clock.monotonicMs() + TICK_MS;
  let wasLate = false;
  return {
    tick() {
      wasLate = clock.monotonicMs() - dueMs > MAX_LAG_MS;
      dueMs = clock.monotonicMs() + TICK_MS;
    },
    isBehind: () => wasLate || clock.monotonicMs() - dueMs > MAX_LAG_MS,
  };
}
