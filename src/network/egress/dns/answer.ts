import { type FailureCode, FailureError } from '#src/core/base/failure.ts';

/** Data of each record type. Names are lower case without the final dot. */
export interface DnsData {
  readonly A: string;
  readonly AAAA: string;
  readonly CNAME: string;
  readonly NS: string;
  readonly MX: { readonly preference: number; readonly exchange: string };
  readonly SOA: { readonly primary: string; readonly contact: string; readonly serial: number };
  /** The strings of one record joined, read as UTF-8; at most 1,024 characters, as of the value of a CAA record. */
  readonly TXT: string;
  readonly CAA: { readonly flags: number; readonly tag: string; readonly value: string };
}

export type DnsType = keyof DnsData;

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
