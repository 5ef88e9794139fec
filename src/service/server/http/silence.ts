import type { ServerSettings } from '../settings.ts';

/** Time for an answer to reach a slow client, on top of the check's own deadline and its wait for a turn. */
const GRACE_SECONDS = 30;

/** The longest silence that `Bun.serve` accepts; beyond, 0 switches the timeout off. */
const MAX_SECONDS = 255;

/** Returns for how many seconds a connection may be silent while its check runs; 0 for as long as it takes. */
export function silenceSecondsOf({ deadline_seconds: deadline }: Pick<ServerSettings, 'deadline_seconds'>): number {
  const seconds = Math.ceil(deadline + GRACE_SECONDS);
  return seconds > MAX_SECONDS ? 0 : seconds;
}
