import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { Destination } from '../connect/connection.ts';

/** Version of the protocol (RFC 1928). */
const VERSION = 5;
const CONNECT = 1;
const ADDRESS_TYPES = { ipv4: 1, name: 3, ipv6: 4 } as const;
const NO_AUTHENTICATION = 0;

/** Answer to a greeting: no authentication, which is all that browsers offer. */
export const GREETING_ANSWER = Uint8Array.of(VERSION, NO_AUTHENTICATION);

/** Answer to a request whose connection is open. The bound address is of no use to a browser. */
export const CONNECTED_ANSWER = Uint8Array.of(VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0);

/**
 * Answer to every other request: host unreachable. A page cannot distinguish a refused destination from one that does not
 * answer.
 */
export const UNREACHABLE_ANSWER = Uint8Array.of(VERSION, 4, 0, 1, 0, 0, 0, 0, 0, 0);

/** The outcome of reading a message: null if more bytes are needed, `invalid` if no message begins like this. */
export type SocksRead<T> = { readonly value: T; readonly length: number } | null | 'invalid';

/** Reads the greeting of a client. */
export function readGreeting(bytes: Uint8Array): SocksRead<true> {
  const [version, methods] = bytes;
  if (version !== undefined && version !== VERSION) return 'invalid';
  if (methods === undefined || bytes.length < 2 + methods) return null;
  return bytes.subarray(2, 2 + methods).includes(NO_AUTHENTICATION) ? { value: true, length: 2 + methods } : 'invalid';
}

/**
 * Reads the request of a client. The destination has the standard form of its host, as in a URL; null if no URL can have
 * such a host.
 */
export function readRequest(bytes: Uint8Array): SocksRead<Destination | null> {
  const [version = VERSION, command = CONNECT, , type, first] = bytes;
  if (version !== VERSION || command !== CONNECT) return 'invalid';
  if (type === undefined || first === undefined) return null;
  const size = hostSize(type, first);
  if (size === null) return 'invalid';
  const length = 4 + size + 2;
  if (bytes.length < length) return null;
  const [high = 0, low = 0] = bytes.subarray(length - 2, length);
  return { value: destinationOf(hostText(type, bytes.subarray(4, 4 + size)), high * 256 + low), length };
}

function hostSize(type: number, first: number): number | null {
  if (type === ADDRESS_TYPES.ipv4) return 4;
  if (type === ADDRESS_TYPES.ipv6) return 16;
  return type === ADDRESS_TYPES.name ? 1 + first : null;
}

function hostText(type: number, bytes: Uint8Array): string {
  if (type === ADDRESS_TYPES.ipv4) return bytes.join('.');
  if (type === ADDRESS_TYPES.name) return Buffer.from(bytes.subarray(1)).toString('latin1');
  const groups = Array.from({ length: 8 }, (_, at) =>
    Buffer.from(bytes)
      .readUInt16BE(2 * at)
      .toString(16),
  );
  return `[${groups.join(':')}]`;
}

/** A name with a character that ends the host of a URL would name another host. */
const HOST = /^(?:[\w.-]+|\[[\da-f:]+\])$/i;

function destinationOf(host: string, port: number): Destination | null {
  const target = HOST.test(host) ? parseTarget(`http://${host}:${port}/`) : null;
  return target === null || isTargetProblem(target) ? null : { host: target.host.text, port };
}
