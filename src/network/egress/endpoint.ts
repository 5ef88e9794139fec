import { parseIp } from '#src/core/base/addresses/ip.ts';
import { withTimeout } from '#src/core/base/timers.ts';

/** Timeout of the system's resolver, in milliseconds. */
const LOOKUP_MS = 1000;

/**
 * Resolves a host that the operator configured with the system's resolver, as third-party clients do. Returns an empty
 * list if it does not resolve in time. Never used for the target of a check.
 */
export async function lookUpConfiguredHost(host: string, port: number): Promise<readonly Endpoint[]> {
  const { lookup } = await import('node:dns/promises');
  const found = await withTimeout(lookup(host, { all: true }), LOOKUP_MS).catch(() => []);
  return found.map(({ address }) => ({ address, port }));
}

/** A TCP or UDP port at an address. */
export interface Endpoint {
  /** An IP address in standard text, IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
}

/** Parses `address`, `address:port` or `[address]:port`. Returns a string that says why the text is invalid. */
export function parseEndpoint(text: string, defaultPort: number): Endpoint | string {
  if (parseIp(text)) return { address: text, port: defaultPort };
  const [, host = '', portText] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const port = Number(portText);
  if (!parseIp(address) || port < 1 || port > 65535) {
    return `"${text}" is not an IP address with a port, such as 192.0.2.1:${defaultPort} or [2001:db8::1]:${defaultPort}`;
  }
  return { address, port };
}

/** Formats an endpoint for {@link parseEndpoint}. */
export function formatEndpoint({ address, port }: Endpoint): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
