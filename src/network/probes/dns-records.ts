/** An address record with the TTL that the resolver returned. */
export interface AddressRecord {
  readonly address: string;
  readonly ttlSeconds: number;
}

/** A query of the probe; `DMARC` is TXT at `_dmarc`. */
export type DnsQuestionName = 'A' | 'AAAA' | 'NS' | 'MX' | 'SOA' | 'TXT' | 'CAA' | 'DMARC';

/**
 * The DNS records of a host. Addresses and aliases are the host's own; all others are those of the registrable domain.
 * Names are lower case without the final dot.
 */
export interface DnsRecords {
  readonly a: readonly AddressRecord[];
  readonly aaaa: readonly AddressRecord[];
  /** The chain of aliases from the host on, in order. */
  readonly cname: readonly string[];
  readonly ns: readonly string[];
  readonly mx: readonly { readonly exchange: string; readonly preference: number }[];
  readonly soa: { readonly primary: string; readonly contact: string; readonly serial: number } | null;
  readonly txt: readonly string[];
  readonly caa: readonly { readonly flags: number; readonly tag: string; readonly value: string }[];
  /** The `v=spf1` record (RFC 7208); null if there is none. */
  readonly spf: string | null;
  /** The `v=DMARC1` record at `_dmarc` (RFC 7489); null if there is none. */
  readonly dmarc: string | null;
  /** The AD bit: the resolver validated the answer with DNSSEC (RFC 4035 §3.2.3). */
  readonly authenticated: boolean;
  /** Queries without an answer: for these, an empty list above does not mean that there are no records. */
  readonly unanswered: readonly DnsQuestionName[];
}
