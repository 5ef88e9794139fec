import type { Asker, Counted, LimiterAnswer, LimitOf } from './rate-limit.ts';

/** Who is over a limit until when. */
export interface KnownRefusals {
  /** The refusal of a request, where one is known; of two the longer one. */
  find(asker: Asker, nowMs: number): LimiterAnswer | null;
  note(of: LimitOf, counted: Counted, untilMs: number): void;
}

interface Refusal {
  readonly limit: number;
  readonly untilMs: number;
}

/**
 * Remembers refusals, each for as long as it is certain: places come free by time alone. So whoever asks on and on costs no
 * more questions. A limit that has changed is asked about anew. Where there are more than `size`, all are forgotten.
 */
export function createKnownRefusals(size: number): KnownRefusals {
  const refusals: Record<LimitOf, Map<string, Refusal>> = { client: new Map(), network: new Map() };

  function untilMs(of: LimitOf, counted: Counted | null, nowMs: number): number {
    const known = counted && refusals[of].get(counted.key);
    if (!known) return nowMs;
    if (known.untilMs > nowMs && known.limit === counted.limit) return known.untilMs;
    refusals[of].delete(counted.key);
    return nowMs;
  }

  return {
    find(asker, nowMs) {
      const client = untilMs('client', asker, nowMs);
      const network = untilMs('network', asker.network, nowMs);
      if (client <= nowMs && network <= nowMs) return null;
      const [of, { limit }, until] =
        asker.network && network > client
          ? (['network', asker.network, network] as const)
          : (['client', asker, client] as const);
      return { refusedBy: of, nearest: { of, limit }, remaining: 0, freeInMs: until - nowMs };
    },
    note(of, { key, limit }, untilMs) {
      if (refusals[of].size >= size) refusals[of].clear();
      refusals[of].set(key, { limit, untilMs });
    },
  };
}
