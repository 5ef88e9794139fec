import type { Clock } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { createKeyedSemaphore, untilAborted } from '#src/network/egress/budget/semaphore.ts';
import type { RegistryAnswer } from '#src/network/registry/registration-facts.ts';

/** A registry server reported its rate limit. It is paused for all domains. */
export class RegistryLimitError extends FailureError {
  readonly pauseMs: number;

  constructor(detail: string, pauseMs: number) {
    super('registration_refused', detail);
    this.pauseMs = pauseMs;
  }
}

/** Limits concurrent and repeated queries to registry servers. */
export interface RegistryThrottle {
  /** Waits for one of the two permits of a server; disposing of the permit releases it. */
  acquire(server: string, signal: AbortSignal): Promise<Disposable>;
  /** Returns whether the server is paused after it reported its rate limit. */
  isPaused(server: string): boolean;
  pause(server: string, pauseMs: number): void;
  /** Shares one query between checks that ask for the same domain at the same time. */
  readonly share: SingleFlight<RegistryAnswer>;
}

/** Pause if the server names none, in milliseconds. */
export const DEFAULT_PAUSE_MS = 60_000;
/** Maximum pause, in milliseconds. */
const MAX_PAUSE_MS = 600_000;
const PLACES_PER_SERVER = 2;
const QUEUE_PER_SERVER = 200;

/** Parses `Retry-After` (RFC 9110 §10.2.3), in milliseconds. Dates and invalid values yield the default pause. */
export function readRetryAfter(value: string | undefined): number {
  return value !== undefined && /^\d{1,9}$/.test(value)
    ? Math.min(Number(value) * 1000, MAX_PAUSE_MS)
    : DEFAULT_PAUSE_MS;
}

/** Creates an empty throttle. Servers come from tables and settings, so their number is bounded. */
export function createRegistryThrottle(clock: Clock): RegistryThrottle {
  const until = new Map<string, number>();
  return {
    acquire: createKeyedSemaphore(PLACES_PER_SERVER, QUEUE_PER_SERVER),
    isPaused: (server) => (until.get(server) ?? Number.NEGATIVE_INFINITY) > clock.monotonicMs(),
    pause: (server, pauseMs) => void until.set(server, clock.monotonicMs() + pauseMs),
    share: createSingleFlight(),
  };
}

/** Runs `work`, or waits for work with the same key that is in flight. */
type SingleFlight<T> = (key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Creates a function that shares one result between concurrent callers. Each caller has its own signal. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const inFlight = new Map<string, Promise<T>>();

  const start = async (key: string, work: () => Promise<T>): Promise<T> => {
    const own = work();
    inFlight.set(key, own);
    try {
      return await own;
    } finally {
      if (inFlight.get(key) === own) inFlight.delete(key);
    }
  };

  return async (key, signal, work) => {
    const others = inFlight.get(key);
    if (!others) return await start(key, work);
    try {
      return await untilAborted<T>(signal, (resolve, reject) => {
        others.then(resolve, reject);
        return () => {};
      });
    } catch (error) {
      // The other caller was aborted, which is not a result.
      const isTheirs = error instanceof FailureError && error.code === 'aborted' && !signal.aborted;
      if (!isTheirs) throw error;
      return await start(key, work);
    }
  };
}
