import { createHmac } from 'node:crypto';
import { clientAddress, UNIX_PEER } from '#src/core/base/addresses/client-address.ts';
import { cidrContains, formatCidr, formatIp, type IpAddress, prefixOf } from '#src/core/base/addresses/ip.ts';
import type { ServerSettings } from '../settings.ts';
import type { Asker, Counted, LimitOf } from './rate-limit.ts';

/** Characters of the hash that identifies a client: 96 bits, which keep a million clients apart. */
const NAME_CHARACTERS = 16;

/** Returns names of clients and networks for counting across nodes: keyed hashes, not addresses. */
export function clientNames(key: Buffer): (of: LimitOf, counted: string) => string {
  // A different prefix than in the private log, so that the hashes of both cannot be linked.
  return (of, counted) =>
    createHmac('sha256', key).update(`limiter ${of} ${counted}`).digest('base64url').slice(0, NAME_CHARACTERS);
}

/** Prefix length of one subnet (RFC 4291 §2.5.4), the minimum that a customer has. */
const IPV6_CLIENT_BITS = 64;

/** Largest block of one site (RFC 6177 §2), which has 65,536 /64 networks. */
const IPV6_NETWORK_BITS = 48;

/** Default limit of a network, as a multiple of a client's limit. */
const CLIENTS_PER_NETWORK = 10;

type ClientSettings = Pick<ServerSettings, 'rate_limit' | 'rate_limit_cidr' | 'rate_limit_network' | 'trusted_proxy'>;

/** Maximum number of peers whose client is cached. */
const REMEMBERED_PEERS = 1000;

/**
 * Creates the function that identifies the client of a request and its limit. A client is an IPv4 address, or the /64
 * of an IPv6 address.
 *
 * Behind a Unix socket all are one client, unless a trusted proxy distinguishes them.
 *
 * Only IPv6 clients have a network: an IPv4 address is all that one customer gets, costs money, and sometimes
 * represents many people, so a block of them does not distinguish a client that changes addresses from unrelated
 * neighbours. A client with a limit of its own has no network either: that limit applies as configured.
 */
export function createClients(settings: ClientSettings): (peer: string | null, headers: Headers) => Asker {
  const { rate_limit: usualLimit, trusted_proxy: trustedProxy } = settings;
  const networkLimit = settings.rate_limit_network ?? CLIENTS_PER_NETWORK * usualLimit;
  const bySpecificity = settings.rate_limit_cidr.toSorted((a, b) => b.cidr.bits - a.cidr.bits);
  const remembered = new Map<string | null, Asker>();

  function read(peer: string | null, headers: Headers): Asker {
    const ip = clientAddress(peer, headers, trustedProxy);
    if (!ip) return { key: peer === UNIX_PEER ? UNIX_PEER : 'unknown', limit: usualLimit, network: null };
    const own = bySpecificity.find(({ cidr }) => cidrContains(cidr, ip));
    // A limit for less than a /64 is one of its own, apart from what the rest of the /64 does.
    const bits = Math.max(IPV6_CLIENT_BITS, own?.cidr.bits ?? 0);
    return {
      key: ip.family === 4 ? formatIp(ip) : formatCidr(prefixOf(ip, bits)),
      limit: own?.limit ?? usualLimit,
      network: own ? null : networkOf(ip, networkLimit),
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

function networkOf(ip: IpAddress, limit: number): Counted | null {
  return ip.family === 4 ? null : { key: formatCidr(prefixOf(ip, IPV6_NETWORK_BITS)), limit };
}
