import type { Clock } from '#src/core/base/clock.ts';
import { createKeyedSemaphore, createSemaphore, type KeyedSemaphore, type Semaphore } from './budget/semaphore.ts';
import { createDnsCache, type DnsCache } from './dns/dns-cache.ts';
import type { EgressSettings } from './settings.ts';

/** Egress state that the checks of one compartment share, isolated from other compartments. */
export interface EgressCompartment {
  /** DNS answers, stored and in flight. */
  readonly dnsCache: DnsCache;
  /** Limits DNS queries in flight. */
  readonly dnsSemaphore: Semaphore;
  /** Limits connections per site and address. */
  readonly addressSemaphores: KeyedSemaphore;
}

/** Limits of one compartment. */
export type EgressBounds = Pick<EgressSettings, 'dns_concurrency' | 'connections_per_address'>;

const WAITING_QUESTIONS = 1024;
const WAITING_PER_ADDRESS = 100;

/** Creates an empty compartment. */
export function createEgressCompartment(bounds: EgressBounds, clock: Clock): EgressCompartment {
  return {
    dnsCache: createDnsCache(clock),
    dnsSemaphore: createSemaphore(bounds.dns_concurrency, WAITING_QUESTIONS),
    addressSemaphores: createKeyedSemaphore(bounds.connections_per_address, WAITING_PER_ADDRESS),
  };
}
