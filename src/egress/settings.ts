import type { Cidr } from '#src/base/ip.ts';
import type { Endpoint } from './endpoint.ts';

/** How much of the network may be used: everything the policy allows, DNS alone, or not a single packet. */
export type NetworkMode = 'full' | 'dns' | 'none';

/** What the operator decides about the door. All members have a default in {@link DEFAULT_EGRESS_SETTINGS}. */
export interface EgressSettings {
  readonly network: NetworkMode;
  /** Recursive resolvers, asked in turn. Empty: those of the system's resolver file. */
  readonly dnsServer: readonly Endpoint[];
  /** Blocks that may be reached although they are not public. Metadata addresses and the service itself stay refused. */
  readonly egressAllow: readonly Cidr[];
  /** Blocks that are refused although they are public; wins over `egressAllow`. */
  readonly egressDeny: readonly Cidr[];
  /** Ports beyond 80, 443, 8080 and 8443. */
  readonly egressPort: readonly number[];
  /** Special names that may be looked up, each with all names below it: `corp`, `intranet`, `lab.internal`. */
  readonly egressName: readonly string[];
  /** Certificates of authorities to trust beside the built-in ones, as PEM text. */
  readonly egressCa: readonly string[];
  /** An HTTP proxy that is asked to CONNECT to the judged address. Null: connections go out directly. */
  readonly egressProxy: Endpoint | null;
  /** For one try at one resolver. */
  readonly dnsTimeoutMs: number;
  readonly dnsTries: number;
  /** Queries under way in the whole process. */
  readonly dnsConcurrency: number;
  /** For TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Connections to one target address at a time, in the whole process. */
  readonly connectionsPerAddress: number;
  readonly headerBytes: number;
  /** Bytes read from the wire, in one hop and in all hops of one check together. */
  readonly wireBytes: number;
  /** Bytes of a body kept after decompression. */
  readonly bodyBytes: number;
}

/** The budgets of the threat model; nothing allowed beyond the public internet. */
export const DEFAULT_EGRESS_SETTINGS: EgressSettings = {
  network: 'full',
  dnsServer: [],
  egressAllow: [],
  egressDeny: [],
  egressPort: [],
  egressName: [],
  egressCa: [],
  egressProxy: null,
  dnsTimeoutMs: 1000,
  dnsTries: 2,
  dnsConcurrency: 64,
  connectTimeoutMs: 3000,
  connectionsPerAddress: 2,
  headerBytes: 256 * 1024,
  wireBytes: 4 * 1024 * 1024,
  bodyBytes: 2 * 1024 * 1024,
};
