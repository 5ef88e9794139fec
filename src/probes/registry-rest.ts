import type { Clock } from '#src/base/clock.ts';
import { FailureError } from '#src/base/failure.ts';

/** A registry's server has had enough of us. It is left alone for a while, whatever domain it would be asked for. */
export class RegistryLimitError extends FailureError {
  readonly restMs: number;

  constructor(detail: string, restMs: number) {
    super('registration_refused', detail);
    this.restMs = restMs;
  }
}

/** Remembers which servers asked to be left alone. */
export interface RegistryRests {
  isResting(server: string): boolean;
  rest(server: string, restMs: number): void;
}

/** Where a server does not say for how long. */
export const USUAL_REST_MS = 60_000;
/** However long a server says. */
const LONGEST_REST_MS = 600_000;

/** The `Retry-After` header of RFC 9110 §10.2.3 in milliseconds; a date, or anything else that is no number, is the usual rest. */
export function readRetryAfter(value: string | undefined): number {
  return value !== undefined && /^\d{1,9}$/.test(value)
    ? Math.min(Number(value) * 1000, LONGEST_REST_MS)
    : USUAL_REST_MS;
}

/** Nobody rests yet. Servers are those of the tables and of the settings, so there is a bound to their number. */
export function createRegistryRests(clock: Clock): RegistryRests {
  const until = new Map<string, number>();
  return {
    isResting: (server) => (until.get(server) ?? Number.NEGATIVE_INFINITY) > clock.monotonicMs(),
    rest: (server, restMs) => void until.set(server, clock.monotonicMs() + restMs),
  };
}
