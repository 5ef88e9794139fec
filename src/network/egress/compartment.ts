import type { Clock } from '#src/core/base/clock.ts';
import { type Cache, createCache } from './budget/cache.ts';
import { createKeyedSemaphore, createSemaphore, type KeyedSemaphore, type Semaphore } from './budget/semaphore.ts';
import { createIdleConnections, type IdleConnections } from './connect/idle-connections.ts';
import type { FullAnswer } from './dns/answer.ts';
import type { DnsType } from './dns/message.ts';
import type { EgressSettings } from './settings.ts';

/** Answers to queries for one record type, by name. */
export interface DnsTypeCache<T extends DnsType> {
  /** Stored until the TTL expires. */
  readonly stored: Cache<FullAnswer<T>>;
  readonly inFlight: Map<string, Promise<FullAnswer<T>>>;
}

/** DNS answers of one compartment, by record type. */
type DnsCache = { readonly [T in DnsType]: DnsTypeCache<T> };

const MAX_ANSWERS_PER_TYPE = 4096;

/** Creates an empty DNS cache. */
function createDnsCache(clock: Clock): DnsCache {
  const createTypeCache = <T extends DnsType>(): DnsTypeCache<T> => ({
    stored: createCache(MAX_ANSWERS_PER_TYPE, clock),
    inFlight: new Map(),
  });
  return {
    A: createTypeCache(),
    AAAA: createTypeCache(),
    CNAME: createTypeCache(),
    NS: createTypeCache(),
    MX: createTypeCache(),
    SOA: createTypeCache(),
    TXT: createTypeCache(),
    CAA: createTypeCache(),
  };
}

/** Egress state that the checks of one compartment share, isolated from other compartments. */
export interface EgressCompartment {
  /** DNS answers, stored and in flight. */
  readonly dnsCache: DnsCache;
  /** Limits DNS queries in flight. */
  readonly dnsSemaphore: Semaphore;
  /** Limits connections per site and address. */
  readonly addressSemaphores: KeyedSemaphore;
  /** TLS connections to registry servers that wait for the next request; the owner of the compartment closes them. */
  readonly idleConnections: IdleConnections;
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
    idleConnections: createIdleConnections(),
  };
}
