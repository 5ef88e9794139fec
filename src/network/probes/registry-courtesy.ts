import type { Clock } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { createKeyedGate } from '#src/network/egress/budget/semaphore.ts';
import type { RegistryAnswer } from '#src/network/registry/registration.ts';
import { createSharing, type Share } from './single-flight.ts';

/** A registry's server has had enough of us. It is left alone for a while, whatever domain it would be asked for. */
export class RegistryLimitError extends FailureError {
  readonly restMs: number;

  constructor(detail: string, restMs: number) {
    super('registration_refused', detail);
    this.restMs = restMs;
  }
}

/** How registries are treated, so that thousands of checks do not become a burden to them, or they to the checks. */
export interface RegistryCourtesy {
  /** Waits for one of the two places at a server; whoever disposes of it lets the next one in. */
  enter(server: string, signal: AbortSignal): Promise<Disposable>;
  /** Whether the server asked to be left alone. */
  isResting(server: string): boolean;
  rest(server: string, restMs: number): void;
  /** Asks once for a domain that several checks want to know about at the same time. */
  readonly share: Share<RegistryAnswer>;
}

/** Where a server does not say for how long. */
export const USUAL_REST_MS = 60_000;
/** However long a server says. */
const LONGEST_REST_MS = 600_000;
const PLACES_PER_SERVER = 2;
const QUEUE_PER_SERVER = 200;

/** The `Retry-After` header of RFC 9110 §10.2.3 in milliseconds; a date, or anything else that is no number, is the usual rest. */
export function readRetryAfter(value: string | undefined): number {
  return value !== undefined && /^\d{1,9}$/.test(value)
    ? Math.min(Number(value) * 1000, LONGEST_REST_MS)
    : USUAL_REST_MS;
}

/** Nobody waits and nobody rests yet. Servers are those of the tables and settings, so their number has a bound. */
export function createRegistryCourtesy(clock: Clock): RegistryCourtesy {
  const until = new Map<string, number>();
  return {
    enter: createKeyedGate(PLACES_PER_SERVER, QUEUE_PER_SERVER),
    isResting: (server) => (until.get(server) ?? Number.NEGATIVE_INFINITY) > clock.monotonicMs(),
    rest: (server, restMs) => void until.set(server, clock.monotonicMs() + restMs),
    share: createSharing(),
  };
}
