import type { Asker, Counted, LimitOf } from './rate-limit.ts';

interface Refusal {
  readonly limit: number;
  readonly untilMs: number;
}

/**
 * Caches refusals for as long as they are certain, since slots are freed by time alone. A client that keeps asking costs no
 * further queries. A changed limit is queried again. Beyond `size` entries the cache is cleared.
 */
export function createKnownRefusals(size: number) {
  const refusals: Record<LimitOf, Map<string, Refusal>> = { client: new Map(), network: new Map() };

  function untilMs(of: LimitOf, counted: Counted | null, nowMs: number): number {
    const known = counted && refusals[of].get(counted.key);
    if (!known) return nowMs;
    if (known.untilMs > nowMs && known.limit === counted.limit) return known.untilMs;
    refusals[of].delete(counted.key);
    return nowMs;
  }

  return {
    /** Returns the cached refusal of a request; of two the longer one. */
    find(asker: Asker, nowMs: number) {
      const client = untilMs('client', asker, nowMs);
      const network = untilMs('network', asker.network, nowMs);
      if (client <= nowMs && network <= nowMs) return null;
      const [of, { limit }, until] =
        asker.network && network > client
          ? (['network', asker.network, network] as const)
          : (['client', asker, client] as const);
      return { refusedBy: of, nearest: { of, limit }, remaining: 0, freeInMs: until - nowMs };
    },
    note(of: LimitOf, { key, limit }: Counted, untilMs: number) {
      if (refusals[of].size >= size) refusals[of].clear();
      refusals[of].set(key, { limit, untilMs });
    },
  };
}
