import { createHmac, randomBytes } from 'node:crypto';
import { formatCidr, parseIp, prefixOf } from '#src/core/base/addresses/ip.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import type { CampaignSightings, Sighting } from '#src/network/probes/observations.ts';
import { readTraits, type TraitSubject, type Traits } from './traits.ts';

/** A client's network that showed a trait on a site. Names are keyed hashes, from which nothing can be restored. */
interface Witness {
  readonly site: number;
  /** Network of the client. */
  readonly network: number;
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** Lifetime of a sighting. Of what a week brings together in the training feeds, three days bring seven eighths. */
const WINDOW_MS = 7 * DAY_MS;

/** Maximum number of sites per trait; more add nothing. */
const MAX_SITES = 8;

/**
 * Creates an empty memory of the sites on which traits were seen. Each site and each network counts once, so that a client in
 * one network adds at most one to any count, however many sites it invents.
 *
 * @param capacity maximum number of traits with one witness, and of those with several: a client that shows ever new
 * traits cannot evict those of others. Each takes about 0.2 to 0.8 KB.
 */
export function createWitnesses(capacity: number) {
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
    add(trait: number, witness: Witness) {
      const known = recent(trait, witness.atMs);
      const isNew = known.every(({ site, network }) => site !== witness.site && network !== witness.network);
      if (isNew && known.length < MAX_SITES) keep(trait, [...known, witness]);
    },
    /** Returns where a trait was seen on other sites; null if nowhere. */
    beside(trait: number, site: number, nowMs: number) {
      const others = recent(trait, nowMs).filter((witness) => witness.site !== site);
      if (others.length === 0) return null;
      const firstMs = Math.min(...others.map(({ atMs }) => atMs));
      return { sites: others.length, since: new Date(firstMs).toISOString().slice(0, 10) };
    },
    /** Number of remembered traits. */
    get size() {
      return alone.size + shared.size;
    },
  };
}

/** A public check that was answered and logged. */
export interface CheckForCampaigns extends TraitSubject {
  /** Key of the client in the limiter. */
  readonly client: string;
  /** True if all evidence but campaigns makes the target suspicious. */
  readonly isSuspicious: boolean;
}

/** Minimum number of other sites, each shown by another network, from which a trait is reported. */
const MIN_SITES = 3;

/** Number of unsuspicious sites, shown by as many networks, from which a trait is common. */
const COMMON_FROM = 2;

/** Maximum number of traits of suspicious and of other sites; all of them take at most 20 MB. */
const CAPACITY = 10_000;

/** Bytes of a keyed hash in a name: as many as a number holds exactly. */
const NAME_BYTES = 6;

/** Prefix length of what one customer can own: IPv4 is sold by the /24, and a site gets an IPv6 /48 (RFC 6177 §2). */
const NETWORK_BITS = { 4: 24, 6: 48 } as const;

const NOTHING: CampaignSightings = { path: null, form: null };

/** Creates an empty memory of the public checks of this service. */
export function createCampaigns() {
  const key = randomBytes(32);
  const suspicious = createWitnesses(CAPACITY);
  const common = createWitnesses(CAPACITY);
  const nameOf = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest().readUIntBE(0, NAME_BYTES);

  function sightingOf(kind: keyof Traits, text: string | null, site: number, nowMs: number): Sighting | null {
    if (text === null) return null;
    const trait = nameOf(kind, text);
    if ((common.beside(trait, site, nowMs)?.sites ?? 0) >= COMMON_FROM) return null;
    const seen = suspicious.beside(trait, site, nowMs);
    return seen !== null && seen.sites >= MIN_SITES ? seen : null;
  }

  return {
    /** Returns what was seen of a target on other sites until now. */
    find(subject: TraitSubject, nowMs: number) {
      const bearer = readTraits(subject);
      if (bearer === null || bearer.isKnown) return NOTHING;
      const { path, form } = bearer.traits;
      const site = nameOf('site', bearer.site);
      return { path: sightingOf('path', path, site, nowMs), form: sightingOf('form', form, site, nowMs) };
    },
    /** Records a check; the traits of an unsuspicious target are recorded as common. */
    record(check: CheckForCampaigns, nowMs: number) {
      const bearer = readTraits(check);
      if (bearer === null) return;
      const witness = {
        site: nameOf('site', bearer.site),
        network: nameOf('network', networkOf(check.client)),
        atMs: nowMs,
      };
      const witnesses = check.isSuspicious && !bearer.isKnown ? suspicious : common;
      for (const kind of ['path', 'form'] as const) {
        const text = bearer.traits[kind];
        if (text !== null) witnesses.add(nameOf(kind, text), witness);
      }
    },
  };
}

/** Returns the network of a client, by its key in the limiter; a key that is not an address stands for itself. */
function networkOf(client: string): string {
  const ip = parseIp(client.split('/', 1)[0] ?? '');
  return ip === null ? client : formatCidr(prefixOf(ip, NETWORK_BITS[ip.family]));
}
