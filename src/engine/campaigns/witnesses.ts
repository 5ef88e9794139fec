import { DAY_MS } from '#src/core/base/clock.ts';
import type { Sighting } from '#src/network/probes/campaign-sightings.ts';

/** Who showed where that something is there; names are numbers, from which nothing can be read. */
export interface Witness {
  readonly site: number;
  /** The network of the client that asked. */
  readonly network: number;
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/**
 * Remembers for a while on which sites traits were seen. A site counts once, and so does a network: whoever has one
 * network alone adds one to any count, however many sites it makes up.
 */
export interface Witnesses {
  add(trait: number, witness: Witness): void;
  /** Where a trait was seen beside a site; null where it was seen nowhere. */
  beside(trait: number, site: number, nowMs: number): Sighting | null;
  /** Traits that are remembered. */
  readonly size: number;
}

/** How long a sighting counts: of what a week brings together in the feeds of the training data, three days bring seven eighths. */
const WINDOW_MS = 7 * DAY_MS;

/** Beyond that many sites nothing is learnt from another. */
const MAX_SITES = 8;

/**
 * Nothing is remembered yet.
 *
 * @param capacity traits with one witness that are remembered, and as many with several, so that who asks for ever new
 *   ones pushes out nobody else's; each takes about 0.2 to 0.8 KB.
 */
export function createWitnesses(capacity: number): Witnesses {
  const alone = new Map<number, readonly Witness[]>();
  const shared = new Map<number, readonly Witness[]>();

  const recent = (trait: number, nowMs: number) =>
    (shared.get(trait) ?? alone.get(trait) ?? []).filter(({ atMs }) => atMs > nowMs - WINDOW_MS);

  function keep(trait: number, witnesses: readonly Witness[]): void {
    alone.delete(trait);
    shared.delete(trait);
    const kept = witnesses.length > 1 ? shared : alone;
    if (kept.size >= capacity) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
    kept.set(trait, witnesses);
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
