import { parseCidr } from '#src/core/base/addresses/ip.ts';
import type { EgressSettings } from '#src/network/egress/settings.ts';

/** Where the servers of a small internet listen, and what an egress client needs in order to get there. */
export interface Place {
  readonly resolver: string;
  readonly registry: string;
  /** Address of the n-th site, from 0 on. */
  siteAddress(index: number): string;
  /** 0 takes a free one. */
  readonly ports: { readonly dns: number; readonly http: number; readonly https: number; readonly whois: number };
  readonly rdapHost: string;
  readonly whoisHost: string;
  readonly egress: Partial<EgressSettings>;
}

const LOOPBACK_BLOCK = parseCidr('127.0.0.0/8');

/**
 * This machine, on free ports. Each server has an address of its own, as on the real internet, where connections to one
 * address are counted; Linux has the whole of 127.0.0.0/8.
 */
export const LOOPBACK: Place = {
  resolver: '127.0.0.1',
  registry: '127.0.0.2',
  siteAddress: (index) => `127.0.1.${index + 1}`,
  ports: { dns: 0, http: 0, https: 0, whois: 0 },
  rdapHost: 'rdap.lab.example',
  whoisHost: 'whois.lab.example',
  egress: { egress_allow: typeof LOOPBACK_BLOCK === 'string' ? [] : [LOOPBACK_BLOCK], egress_name: ['example'] },
};

/**
 * Public addresses, the ports of each protocol, and the names of the real registry of `.com`: for a network namespace,
 * where the product runs as it would anywhere.
 */
export const PUBLIC: Place = {
  resolver: '93.184.0.1',
  registry: '93.184.0.2',
  siteAddress: (index) => `93.184.1.${index + 1}`,
  ports: { dns: 53, http: 80, https: 443, whois: 43 },
  rdapHost: 'rdap.verisign.com',
  whoisHost: 'whois.verisign-grs.com',
  egress: {},
};
