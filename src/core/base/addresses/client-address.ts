import { type Cidr, cidrContains, type IpAddress, parseIp, unmapIp } from './ip.ts';
import { UNIX_PEER } from './peer.ts';

/** A proxy whose word is taken: one at an address of a block, or one that came through a unix socket. */
export type TrustedProxy = Cidr | typeof UNIX_PEER;

/** Forwarded addresses that are looked at, counted from the right: more proxies than that stand in no real chain. */
const MAX_HOPS = 32;

/** An address with or without a port: `1.2.3.4:5678`, `[2001:db8::1]`, `[2001:db8::1]:5678`. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/** `for=` of one element of a `Forwarded` header, quoted or not (RFC 7239 §4). */
const FORWARDED_FOR = /(?:^|;)[ \t]*for=(?:"([^"\\]*)"|([^";, \t]*))[ \t]*(?=;|$)/i;

/**
 * The address of the client that a request is counted for: the socket's, or, where that belongs to a trusted proxy,
 * the nearest forwarded one that does not. A header with junk where an address is due, or two headers that disagree,
 * prove nothing: then it is the socket's. Null where the socket has no address, as a unix socket has none.
 */
export function clientAddress(
  peer: string | null,
  headers: Headers,
  trusted: readonly TrustedProxy[],
): IpAddress | null {
  const own = readPeer(peer);
  if (!isTrustedPeer(peer, trusted)) return own;
  const list = headers.get('x-forwarded-for');
  const forwarded = headers.get('forwarded');
  const named = list === null ? null : nearestStranger(list, (element) => element, trusted);
  const namedToo = forwarded === null ? null : nearestStranger(forwarded, forwardedFor, trusted);
  if (list !== null && forwarded !== null && named?.value !== namedToo?.value) return own;
  return named ?? namedToo ?? own;
}

/** Whether the socket's other end is a trusted proxy. */
export function isTrustedPeer(peer: string | null, trusted: readonly TrustedProxy[]): boolean {
  if (peer === UNIX_PEER) return trusted.includes(UNIX_PEER);
  const own = readPeer(peer);
  return own !== null && isTrusted(own, trusted);
}

/** A link-local peer comes with its zone, as in fe80::1%eth0. */
function readPeer(peer: string | null): IpAddress | null {
  return peer === null ? null : readAddress(peer.replace(/%.*/s, ''));
}

/** Reads a list from the right, past the trusted proxies; where all are trusted, the leftmost is the client. */
function nearestStranger(
  list: string,
  addressOf: (element: string) => string,
  trusted: readonly TrustedProxy[],
): IpAddress | null {
  let end = list.length;
  let client: IpAddress | null = null;
  for (let hop = 0; hop < MAX_HOPS && end >= 0; hop++) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1);
    client = readAddress(addressOf(list.slice(comma + 1, end).trim()));
    if (!client || !isTrusted(client, trusted)) return client;
    end = comma;
  }
  return end < 0 ? client : null;
}

function forwardedFor(element: string): string {
  const match = FORWARDED_FOR.exec(element);
  return match?.[1] ?? match?.[2] ?? '';
}

function readAddress(text: string): IpAddress | null {
  const match = WITH_PORT.exec(text);
  const ip = parseIp(match?.[1] ?? match?.[2] ?? text);
  return ip && unmapIp(ip);
}

function isTrusted(ip: IpAddress, trusted: readonly TrustedProxy[]): boolean {
  return trusted.some((one) => one !== UNIX_PEER && cidrContains(one, ip));
}
