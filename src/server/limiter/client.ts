import { cidrContains, formatCidr, formatIp, prefixOf } from '#src/base/ip.ts';
import type { ServerSettings } from '../settings.ts';
import { clientAddress } from './client-address.ts';

/** One subnet (RFC 4291 §2.5.4); a single customer has at least that many addresses. */
const IPV6_CLIENT_BITS = 64;

/** Somebody whose requests are counted together. */
export interface Client {
  /** An IPv4 address, or the /64 of an IPv6 one. */
  readonly key: string;
  /** Admitted requests in a minute; 0 for no limit. */
  readonly limit: number;
}

type ClientSettings = Pick<ServerSettings, 'rate_limit' | 'rate_limit_cidr' | 'trusted_proxy'>;

/** Peers whose client is remembered, so that a busy one is not worked out for each of its requests. */
const REMEMBERED_PEERS = 1000;

/** Tells who sent a request, and how much that client may ask. */
export function createClients(settings: ClientSettings): (peer: string | null, headers: Headers) => Client {
  const { rate_limit: usualLimit, trusted_proxy: trustedProxy } = settings;
  const bySpecificity = settings.rate_limit_cidr.toSorted((a, b) => b.cidr.bits - a.cidr.bits);
  const remembered = new Map<string | null, Client>();

  function read(peer: string | null, headers: Headers): Client {
    const ip = clientAddress(peer, headers, trustedProxy);
    if (!ip) return { key: 'unknown', limit: usualLimit };
    const own = bySpecificity.find(({ cidr }) => cidrContains(cidr, ip));
    // A limit for less than a /64 is one of its own, apart from what the rest of the /64 does.
    const bits = Math.max(IPV6_CLIENT_BITS, own?.cidr.bits ?? 0);
    return {
      key: ip.family === 4 ? formatIp(ip) : formatCidr(prefixOf(ip, bits)),
      limit: own?.limit ?? usualLimit,
    };
  }

  // Without a trusted proxy no header has a say.
  return trustedProxy.length > 0
    ? read
    : (peer, headers) => {
        const known = remembered.get(peer);
        if (known) return known;
        if (remembered.size >= REMEMBERED_PEERS) remembered.clear();
        const client = read(peer, headers);
        remembered.set(peer, client);
        return client;
      };
}
