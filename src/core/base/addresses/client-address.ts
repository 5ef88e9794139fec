import type { Server } from 'bun';
import { type Cidr, cidrContains, type IpAddress, parseIp, unmapIp } from './ip.ts';

/** The peer of a unix socket. Not a valid IP address. */
export const UNIX_PEER = 'unix';

/** The part of Elysia's context that identifies the sender of a request. */
export interface PeerContext {
  readonly request: Request;
  /** Null if nothing listens, as in tests of the routes. */
  readonly server: Pick<Server<unknown>, 'requestIP'> | null;
}

/**
 * Returns the peer of a request: an IP address as the system formats it, or {@link UNIX_PEER}; null if it disconnected.
 */
export type PeerOf = (context: PeerContext) => string | null;

/** Peers of a TCP socket. */
export const tcpPeer: PeerOf = ({ request, server }) => server?.requestIP(request)?.address ?? null;

/** Peers of a unix socket. */
export const unixPeer: PeerOf = () => UNIX_PEER;

/** A trusted proxy: a block of addresses, or any peer of a unix socket. */
export type TrustedProxy = Cidr | typeof UNIX_PEER;

/** Maximum number of forwarded addresses read, counted from the right; real chains are shorter. */
const MAX_HOPS = 32;

/** An address with or without a port: `1.2.3.4:5678`, `[2001:db8::1]`, `[2001:db8::1]:5678`. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/** `for=` of one element of a `Forwarded` header, quoted or not (RFC 7239 §4). */
const FORWARDED_FOR = /(?:^|;)[ \t]*for=(?:"([^"\\]*)"|([^";, \t]*))[ \t]*(?=;|$)/i;

/**
 * Returns the client address of a request: the socket's, or, behind trusted proxies, the nearest forwarded address that
 * is not trusted. If a header is malformed or two headers disagree, the socket's address is used. Null if the socket
 * has no address, such as a unix socket.
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
  const named = list === null ? null : nearestUntrusted(list, (element) => element, trusted);
  const namedToo = forwarded === null ? null : nearestUntrusted(forwarded, forwardedFor, trusted);
  if (list !== null && forwarded !== null && named?.value !== namedToo?.value) return own;
  return named ?? namedToo ?? own;
}

/** Returns whether the peer of the socket is a trusted proxy. */
export function isTrustedPeer(peer: string | null, trusted: readonly TrustedProxy[]): boolean {
  if (peer === UNIX_PEER) return trusted.includes(UNIX_PEER);
  const own = readPeer(peer);
  return own !== null && isTrusted(own, trusted);
}

/** Parses a peer without its zone, as in fe80::1%eth0. */
function readPeer(peer: string | null): IpAddress | null {
  return peer === null ? null : readAddress(peer.replace(/%.*/s, ''));
}

/** Returns the first untrusted address of a list from the right; the leftmost if all are trusted. */
function nearestUntrusted(
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
