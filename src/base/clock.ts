/** The two times a program needs; passed in so that a test can hold them still. */
export interface Clock {
  /** Wall clock, milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never runs backwards. */
  monotonicMs(): number;
}

/** The clocks of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
