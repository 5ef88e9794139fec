/** An address record with its life, as the resolver told it. */
export interface AddressRecord {
  readonly address: string;
  readonly ttlSeconds: number;
}

/** A question that the probe asks; `DMARC` is TXT at `_dmarc`. */
export type DnsQuestionName = 'A' | 'AAAA' | 'NS' | 'MX' | 'SOA' | 'TXT' | 'CAA' | 'DMARC';

/**
 * The DNS records of a host, one shape whatever the resolver. Addresses and aliases are the host's own; all the others
 * are those of the domain that was registered, where zones and mail are run. Names are lower case without the final dot.
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
  /** The `v=spf1` record (RFC 7208), null where there is none. */
  readonly spf: string | null;
  /** The `v=DMARC1` record at `_dmarc` (RFC 7489), null where there is none. */
  readonly dmarc: string | null;
  /** Whether the resolver vouched for the answer by DNSSEC (the AD bit, RFC 4035 §3.2.3). */
  readonly authenticated: boolean;
  /** Questions without an answer: for these, nothing above says that there are no records. */
  readonly unanswered: readonly DnsQuestionName[];
}
