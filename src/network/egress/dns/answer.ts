import { type FailureCode, FailureError } from '#src/core/base/failure.ts';
import {
  DATA_READERS,
  type DnsData,
  type DnsResponse,
  type DnsType,
  type RawRecord,
  soaMinimum,
  TYPE_NUMBERS,
} from './message.ts';

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

export interface DnsRecord<T extends DnsType> {
  readonly data: DnsData[T];
  /** At most one day. */
  readonly ttlSeconds: number;
}

/** A resolver's answer to one query. `NOERROR` without records means that the name exists and has none of this type. */
export interface DnsAnswer<T extends DnsType> {
  /**
   * The mnemonic of the response code (IANA DNS RCODEs), such as `NOERROR`, `NXDOMAIN`, `SERVFAIL`; `RCODE17` if it
   * has none.
   */
  readonly rcode: string;
  /** Records of the asked type at the end of the chain; none unless `rcode` is `NOERROR`. */
  readonly records: readonly DnsRecord<T>[];
  /** The aliases from the asked name on, in order. */
  readonly chain: readonly string[];
  /** The AD bit: the resolver validated the answer with DNSSEC (RFC 4035 §3.2.3). */
  readonly authenticated: boolean;
}

const RCODE_FAILURES: Readonly<Record<string, FailureCode>> = {
  NOERROR: 'dns_no_data',
  NXDOMAIN: 'dns_nxdomain',
  REFUSED: 'dns_refused',
};

/** Returns the failure for a host whose address query returned no records. */
export function noAddress(host: string, { rcode }: Pick<DnsAnswer<'A' | 'AAAA'>, 'rcode'>): FailureError {
  return new FailureError(RCODE_FAILURES[rcode] ?? 'dns_server_failure', `${host}: ${rcode}`);
}
