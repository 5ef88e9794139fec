import { cidrContains, formatCidr, formatIp, prefixOf } from '#src/base/ip.ts';
import { clientAddress } from './client-address.ts';
import type { ServerSettings } from './server-settings.ts';

/** Somebody whose requests are counted together. */
export interface Client {
  /** An IPv4 address, or the /64 of an IPv6 one: a single customer has at least that many addresses. */
  readonly key: string;
  /** Admitted requests in a minute; 0 for no limit. */
  readonly limit: number;
}

type ClientSettings = Pick<ServerSettings, 'rateLimit' | 'rateLimitCidr' | 'trustedProxy'>;

/** Tells who sent a request, and how much that client may ask. */
export function createClients(settings: ClientSettings): (peer: string | null, headers: Headers) => Client {
  const bySpecificity = settings.rateLimitCidr.toSorted((a, b) => b.cidr.bits - a.cidr.bits);
  return (peer, headers) => {
    const ip = clientAddress(peer, headers, settings.trustedProxy);
    if (!ip) return { key: 'unknown', limit: settings.rateLimit };
    const own = bySpecificity.find(({ cidr }) => cidrContains(cidr, ip));
    return {
      key: ip.family === 4 ? formatIp(ip) : formatCidr(prefixOf(ip, 64)),
      limit: own?.limit ?? settings.rateLimit,
    };
  };
}
