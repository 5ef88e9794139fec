/** A clock that stands still until it is moved. */
export function createHeldClock(nowMs = 0) {
  const clock = { nowMs, now: () => 0, monotonicMs: () => clock.nowMs };
  return clock;
}
