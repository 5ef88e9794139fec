import { FailureError } from '#src/core/base/failure.ts';
import type { Traced } from '#src/core/base/traced.ts';
import { abortFailure, untilAborted } from '../budget/semaphore.ts';
import type { DnsTypeCache, EgressCompartment } from '../compartment.ts';
import type { FullAnswer } from './answer.ts';
import type { DnsType } from './message.ts';
import type { DnsUpstream } from './upstream.ts';

/** A stub resolver (RFC 1034 §5.3.1) with the cache of one compartment. */
export interface Resolver {
  /**
   * Answers one query, from the cache if the TTL allows. Identical queries in flight share one answer. Fails as
   * {@link DnsUpstream.ask} does, with `unreachable` while the circuit is open, and with `overloaded`.
   */
  resolve<T extends DnsType>(name: string, type: T, signal: AbortSignal): Promise<FullAnswer<T>>;
}

/** Creates a resolver that queries the upstream and uses the cache and limits of a compartment. */
export function createResolver(
  { ask, circuit, closed }: DnsUpstream,
  { dnsCache, dnsSemaphore }: Pick<EgressCompartment, 'dnsCache' | 'dnsSemaphore'>,
): Resolver {
  async function askInTurn<T extends DnsType>(name: string, type: T): Promise<FullAnswer<T>> {
    using _permit = await dnsSemaphore.acquire(closed);
    return await ask(name, type);
  }

  function askOnce<T extends DnsType>(
    name: string,
    type: T,
    { stored, inFlight }: DnsTypeCache<T>,
  ): Promise<FullAnswer<T>> {
    const pending = inFlight.get(name);
    if (pending !== undefined) return pending;
    const asked = askInTurn(name, type)
      .then((answer) => {
        stored.set(name, answer, answer.cacheSeconds * 1000);
        return answer;
      })
      .finally(() => inFlight.delete(name));
    // Nobody may await it when it fails.
    asked.catch(() => {});
    inFlight.set(name, asked);
    return asked;
  }

  return {
    async resolve(name, type, signal) {
      if (signal.aborted) throw abortFailure(signal);
      const cache = dnsCache[type];
      const known = cache.stored.get(name);
      if (known) return known;
      if (circuit.isOpen()) {
        if (circuit.takeTrial()) void askOnce(name, type, cache).catch(() => {});
        throw new FailureError('unreachable', 'the resolver does not answer and is not asked for a while');
      }
      const asked = askOnce(name, type, cache);
      return await untilAborted(signal, (resolve, reject) => {
        asked.then(resolve, reject);
        return () => {};
      });
    },
  };
}

/** Returns a resolver that traces each query as a step. */
export function traceQueries({ resolve }: Resolver, traced: Traced): Resolver {
  return {
    resolve: (name, type, signal) =>
      traced(
        'dns',
        `${name} ${type}`,
        () => resolve(name, type, signal),
        ({ rcode, records, chain }) =>
          [
            rcode,
            `${records.length} ${records.length === 1 ? 'record' : 'records'}`,
            ...chain.map((alias) => `alias ${alias}`),
          ].join(', '),
      ),
  };
}
