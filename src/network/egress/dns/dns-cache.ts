import type { Clock } from '#src/core/base/clock.ts';
import { type Cache, createCache } from '../budget/cache.ts';
import type { DnsType } from './answer.ts';
import type { FullAnswer } from './follow.ts';

/** Answers to queries for one record type, by name. */
export interface DnsTypeCache<T extends DnsType> {
  /** Stored until the TTL expires. */
  readonly stored: Cache<FullAnswer<T>>;
  readonly inFlight: Map<string, Promise<FullAnswer<T>>>;
}

/** DNS answers of one compartment, by record type. */
export type DnsCache = { readonly [T in DnsType]: DnsTypeCache<T> };

const MAX_ANSWERS_PER_TYPE = 4096;

/** Creates an empty DNS cache. */
export function createDnsCache(clock: Clock): DnsCache {
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
