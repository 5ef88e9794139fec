import { FailureError } from '#src/core/base/failure.ts';
import type { DnsAnswer, DnsRecord, DnsType } from './answer.ts';
import { DATA_READERS, soaMinimum, TYPE_NUMBERS } from './data.ts';
import type { DnsResponse, RawRecord } from './message.ts';

const MAX_ALIASES = 16;
/** Maximum negative-caching TTL, in seconds. */
const MAX_NEGATIVE_SECONDS = 900;

/** An answer with all of its records and its TTL. */
export interface FullAnswer<T extends DnsType> extends DnsAnswer<T> {
  /** Minimum TTL in the chain, in seconds; 0 if the answer must not be cached. */
  readonly cacheSeconds: number;
}

/**
 * Extracts the answer from a response: the chain of aliases from the queried name on, and the records at its end.
 * Ignores records of other names. Fails with `dns_malformed` if a relevant record cannot be parsed, and with
 * `dns_chain_too_long` if the chain loops or has more than 16 links.
 */
export function followAnswer<T extends DnsType>(response: DnsResponse, name: string, type: T): FullAnswer<T> {
  const isKnown = response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN';
  const aliases = type === 'CNAME' || !isKnown ? [] : followAliases(response.answers, name);
  const owner = aliases.at(-1)?.data ?? name;
  const records = response.rcode === 'NOERROR' ? pick(response.answers, owner, type) : [];
  const ttls = [...aliases, ...records].map(({ ttlSeconds }) => ttlSeconds);
  if (records.length === 0) ttls.push(isKnown ? negativeSeconds(response.authority) : 0);
  return {
    rcode: response.rcode,
    records,
    chain: aliases.map(({ data }) => data),
    authenticated: response.authenticated,
    cacheSeconds: Math.min(...ttls),
  };
}

function followAliases(answers: readonly RawRecord[], name: string): DnsRecord<'CNAME'>[] {
  const chain: DnsRecord<'CNAME'>[] = [];
  const seen = new Set([name]);
  for (let owner = name; ; ) {
    const [alias] = pick(answers, owner, 'CNAME');
    if (!alias) return chain;
    owner = alias.data;
    if (seen.has(owner) || chain.length === MAX_ALIASES) {
      throw new FailureError('dns_chain_too_long', `${name}: ${chain.length + 1} aliases, the last to ${owner}`);
    }
    seen.add(owner);
    chain.push(alias);
  }
}

function pick<T extends DnsType>(answers: readonly RawRecord[], owner: string, type: T): DnsRecord<T>[] {
  return answers
    .filter((record) => record.owner === owner && record.typeNumber === TYPE_NUMBERS[type])
    .map((record) => {
      const data = DATA_READERS[type](record);
      if (data === null) throw new FailureError('dns_malformed', `${owner}: an unreadable ${type} record`);
      return { data, ttlSeconds: record.ttlSeconds };
    });
}

function negativeSeconds(authority: readonly RawRecord[]): number {
  const soa = authority.find((record) => record.typeNumber === TYPE_NUMBERS.SOA);
  if (!soa || DATA_READERS.SOA(soa) === null) return 0;
  return Math.min(soa.ttlSeconds, soaMinimum(soa), MAX_NEGATIVE_SECONDS);
}
