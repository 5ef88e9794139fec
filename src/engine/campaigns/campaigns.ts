import { createHmac, randomBytes } from 'node:crypto';
import { formatCidr, parseIp, prefixOf } from '#src/core/base/addresses/ip.ts';
import type { CampaignSightings, Sighting } from '#src/network/probes/campaign-sightings.ts';
import { readTraits, type TraitSubject, type Traits } from './traits.ts';
import { createWitnesses } from './witnesses.ts';

/** A public check that was answered and logged. */
export interface LearntCheck extends TraitSubject {
  /** The limiter's key for who asked. */
  readonly client: string;
  /** Whether everything but campaigns let the engine doubt the target. */
  readonly isDoubted: boolean;
}

/** What this box remembers of its own public checks, in memory alone: it begins anew with each start. */
export interface Campaigns {
  /** What was seen of a target on other sites, up to now. */
  look(subject: TraitSubject, nowMs: number): CampaignSightings;
  /** Remembers a check; of one that is not doubted, that what it has is no sign. */
  learn(check: LearntCheck, nowMs: number): void;
}

/** From so many other sites on, each shown by another network, something is told of. */
const LEAST_SITES = 3;

/** On so many sites that nobody doubts, shown by as many networks, something is common. */
const COMMON_FROM = 2;

/** Traits of doubted and of other sites that are remembered; in all they take at most 20 MB. */
const CAPACITY = 10_000;

/** Of a keyed hash, so many bytes name a thing: as many as a number holds exactly. */
const NAME_BYTES = 6;

/** What one customer may well have, in bits: IPv4 is sold by the /24, and a site gets an IPv6 /48 (RFC 6177 §2). */
const NETWORK_BITS = { 4: 24, 6: 48 } as const;

const NOTHING: CampaignSightings = { path: null, form: null };

/** Nothing is remembered yet. */
export function createCampaigns(): Campaigns {
  const key = randomBytes(32);
  const doubted = createWitnesses(CAPACITY);
  const common = createWitnesses(CAPACITY);
  const nameOf = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest().readUIntBE(0, NAME_BYTES);

  function sightingOf(kind: keyof Traits, text: string | null, site: number, nowMs: number): Sighting | null {
    if (text === null) return null;
    const trait = nameOf(kind, text);
    if ((common.beside(trait, site, nowMs)?.sites ?? 0) >= COMMON_FROM) return null;
    const seen = doubted.beside(trait, site, nowMs);
    return seen !== null && seen.sites >= LEAST_SITES ? seen : null;
  }

  return {
    look(subject, nowMs) {
      const bearer = readTraits(subject);
      if (bearer === null || bearer.isKnown) return NOTHING;
      const { path, form } = bearer.traits;
      const site = nameOf('site', bearer.site);
      return { path: sightingOf('path', path, site, nowMs), form: sightingOf('form', form, site, nowMs) };
    },
    learn(check, nowMs) {
      const bearer = readTraits(check);
      if (bearer === null) return;
      const witness = {
        site: nameOf('site', bearer.site),
        network: nameOf('network', networkOf(check.client)),
        atMs: nowMs,
      };
      const witnesses = check.isDoubted && !bearer.isKnown ? doubted : common;
      for (const kind of ['path', 'form'] as const) {
        const text = bearer.traits[kind];
        if (text !== null) witnesses.add(nameOf(kind, text), witness);
      }
    },
  };
}

/** The network that a client is counted for, by the limiter's key for it; what is no address stands for itself. */
function networkOf(client: string): string {
  const ip = parseIp(client.split('/', 1)[0] ?? '');
  return ip === null ? client : formatCidr(prefixOf(ip, NETWORK_BITS[ip.family]));
}
