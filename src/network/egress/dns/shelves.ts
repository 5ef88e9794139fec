import type { Clock } from '#src/core/base/clock.ts';
import { type Cache, createCache } from '../budget/cache.ts';
import type { DnsType } from './answer.ts';
import type { FullAnswer } from './follow.ts';

/** Answers to questions for one type of record, by name. */
export interface DnsShelf<T extends DnsType> {
  /** Each for as long as its TTL allows. */
  readonly kept: Cache<FullAnswer<T>>;
  readonly underWay: Map<string, Promise<FullAnswer<T>>>;
}

/** A shelf for each type of record. */
export type DnsShelves = { readonly [T in DnsType]: DnsShelf<T> };

const KEPT_PER_TYPE = 4096;

/** Empty shelves. */
export function createDnsShelves(clock: Clock): DnsShelves {
  const shelf = <T extends DnsType>(): DnsShelf<T> => ({
    kept: createCache(KEPT_PER_TYPE, clock),
    underWay: new Map(),
  });
  return {
    A: shelf(),
    AAAA: shelf(),
    CNAME: shelf(),
    NS: shelf(),
    MX: shelf(),
    SOA: shelf(),
    TXT: shelf(),
    CAA: shelf(),
  };
}
