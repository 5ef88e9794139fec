import type { Clock } from '#src/core/base/clock.ts';
import { createRequestId } from '#src/core/base/request-id.ts';

/** Time and id of a request. */
export interface Arrival {
  /** UUIDv7, also in the answer's `X-Request-Id`. */
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
}

/**
 * Creates the function that returns the arrival of a request: the moment of its first call. Every hook of Elysia's life
 * cycle can call it; what one hook adds to the context, earlier hooks do not have.
 */
export function createArrivals(clock: Clock): (request: Request) => Arrival {
  const arrivals = new WeakMap<Request, Arrival>();
  return (request) => {
    const known = arrivals.get(request);
    if (known) return known;
    const startedAtMs = clock.now();
    const arrival = { requestId: createRequestId(startedAtMs), startedAtMs };
    arrivals.set(request, arrival);
    return arrival;
  };
}
