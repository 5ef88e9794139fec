const TICK_MS = 10;

/**
 * Does the work and tells how long it took in milliseconds that this process had to itself: turns of a timer that does not
 * catch up. On an idle machine that is the time on the wall; on a busy one, where the process stands still for a while, it
 * is less. So it bounds what happens in this process, its timers and its peers on loopback, without a tolerance for others.
 */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly loopMs: number }> {
  let ticks = 0;
  const timer = setInterval(() => ticks++, TICK_MS);
  try {
    return { result: await work(), loopMs: ticks * TICK_MS };
  } finally {
    clearInterval(timer);
  }
}
