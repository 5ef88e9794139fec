import { DAY_MS } from '#src/core/base/clock.ts';
import type { Sighting } from '#src/network/probes/observations.ts';

/** A client's network that showed a trait on a site. Names are keyed hashes, from which nothing can be restored. */
export interface Witness {
  readonly site: number;
  /** Network of the client. */
  readonly network: number;
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/**
 * Remembers for some time on which sites traits were seen. Each site and each network counts once, so that a client in
 * one network adds at most one to any count, however many sites it invents.
 */
export interface Witnesses {
  add(trait: number, witness: Witness): void;
  /** Returns where a trait was seen on other sites; null if nowhere. */
  beside(trait: number, site: number, nowMs: number): Sighting | null;
  /** Number of remembered traits. */
  readonly size: number;
}

/** Lifetime of a sighting. Of what a week brings together in the training feeds, three days bring seven eighths. */
const WINDOW_MS = 7 * DAY_MS;

/** Maximum number of sites per trait; more add nothing. */
const MAX_SITES = 8;

/**
 * Creates an empty memory.
 *
 * @param capacity maximum number of traits with one witness, and of those with several: a client that shows ever new
 * traits cannot evict those of others. Each takes about 0.2 to 0.8 KB.
 */
export function createWitnesses(capacity: number): Witnesses {
  const alone = new Map<number, readonly Witness[]>();
  const shared = new Map<number, readonly Witness[]>();

  const recent = (trait: number, nowMs: number) =>
    (shared.get(trait) ?? alone.get(trait) ?? []).filter(({ atMs }) => atMs > nowMs - WINDOW_MS);

  function keep(trait: number, witnesses: readonly Witness[]): void {
    alone.delete(trait);
    shared.delete(trait);
    const retained = witnesses.length > 1 ? shared : alone;
    if (retained.size >= capacity) for (const oldest of retained.keys()) if (retained.delete(oldest)) break;
    retained.set(trait, witnesses);
  }

  return {
    add(trait, witness) {
      const known = recent(trait, witness.atMs);
      const isNew = known.every(({ site, network }) => site !== witness.site && network !== witness.network);
      if (isNew && known.length < MAX_SITES) keep(trait, [...known, witness]);
    },
    beside(trait, site, nowMs) {
      const others = recent(trait, nowMs).filter((witness) => witness.site !== site);
      if (others.length === 0) return null;
      const firstMs = Math.min(...others.map(({ atMs }) => atMs));
      return { sites: others.length, since: new Date(firstMs).toISOString().slice(0, 10) };
    },
    get size() {
      return alone.size + shared.size;
    },
  };
}
