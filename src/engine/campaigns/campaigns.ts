import { createHmac, randomBytes } from 'node:crypto';
import { formatCidr, parseIp, prefixOf } from '#src/core/base/addresses/ip.ts';
import type { CampaignSightings, Sighting } from '#src/network/probes/observations.ts';
import { readTraits, type TraitSubject, type Traits } from './traits.ts';
import { createWitnesses } from './witnesses.ts';

/** A public check that was answered and logged. */
export interface CheckForCampaigns extends TraitSubject {
  /** Key of the client in the limiter. */
  readonly client: string;
  /** True if all evidence but campaigns makes the target suspicious. */
  readonly isSuspicious: boolean;
}

/** Memory of the public checks of this service since its start. */
export interface Campaigns {
  /** Returns what was seen of a target on other sites until now. */
  find(subject: TraitSubject, nowMs: number): CampaignSightings;
  /** Records a check; the traits of an unsuspicious target are recorded as common. */
  record(check: CheckForCampaigns, nowMs: number): void;
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

/** Creates an empty memory. */
export function createCampaigns(): Campaigns {
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
    find(subject, nowMs) {
      const bearer = readTraits(subject);
      if (bearer === null || bearer.isKnown) return NOTHING;
      const { path, form } = bearer.traits;
      const site = nameOf('site', bearer.site);
      return { path: sightingOf('path', path, site, nowMs), form: sightingOf('form', form, site, nowMs) };
    },
    record(check, nowMs) {
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
