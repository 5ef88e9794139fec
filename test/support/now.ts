import type { Clock } from '#src/core/base/clock.ts';
import { systemClock } from '#src/core/base/clock.ts';

/**
 * The time at which tests judge what has a date, so that they say the same in ten years: 31 January 2026, noon. Only what
 * meets the runtime's own TLS library, or the executable, must be minted around the real one.
 */
export const NOW_MS = Date.UTC(2026, 0, 31, 12);

/** A clock that always says that; time still passes on it for whoever measures. */
export const fixedClock: Clock = { now: () => NOW_MS, monotonicMs: systemClock.monotonicMs };
