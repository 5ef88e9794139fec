import { type Clock, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import type { Target } from '#src/core/url/target.ts';
import { createExpiringMemory } from './expiring-memory.ts';

/** Lookups of hosts after a doubtful request passed. Disposing of it forgets what waits. */
interface DeepLookups extends Disposable {
  /** Queues a host, unless it was looked up within the last hour. Clients take turns. */
  add(target: Target, client: string | null): void;
}

/** Dependencies of deep lookups. */
interface DeepLookupParts {
  /** Must not reject. */
  lookUp(target: Target, client: string | null): Promise<void>;
  readonly perMinute: () => number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Hosts that are remembered as looked up; clients that may wait, and hosts that each of them may have waiting. */
const MAX_HOSTS = 50_000;
const MAX_CLIENTS = 1000;
const MAX_WAITING = 8;

/** Creates an empty queue. The budget of a minute may be used at once, and refills evenly. */
export function createDeepLookups({ lookUp, perMinute, clock }: DeepLookupParts): DeepLookups {
  const known = createExpiringMemory<true>(clock, HOUR_MS, MAX_HOSTS);
  // The client in turn comes first; a served client with more hosts moves to the end.
  const waiting = new Map<string | null, Target[]>();
  let budget = perMinute();
  let countedMs = clock.monotonicMs();
  let timer: Timer | null = null;

  function refill(): void {
    const nowMs = clock.monotonicMs();
    budget = Math.min(perMinute(), budget + ((nowMs - countedMs) * perMinute()) / MINUTE_MS);
    countedMs = nowMs;
  }

  function run(): void {
    refill();
    for (const [client, targets] of waiting) {
      if (budget < 1) break;
      const next = targets.shift();
      waiting.delete(client);
      if (next === undefined) continue;
      if (targets.length > 0) waiting.set(client, targets);
      budget--;
      void lookUp(next, client);
    }
    if (waiting.size === 0 || perMinute() === 0 || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      run();
    }, MINUTE_MS / perMinute());
    timer.unref();
  }

  return {
    add(target, client) {
      const host = target.host.text;
      if (perMinute() === 0 || known.get(host) !== null) return;
      const own = waiting.get(client);
      if (own ? own.length >= MAX_WAITING : waiting.size >= MAX_CLIENTS) return;
      known.set(host, true);
      if (own) own.push(target);
      else waiting.set(client, [target]);
      run();
    },
    [Symbol.dispose]() {
      if (timer !== null) clearTimeout(timer);
      waiting.clear();
    },
  };
}
