import { classifyAddress } from '../addresses/address-class.ts';
import { parseIp } from '../addresses/ip.ts';
import { textOf } from './setting-kind.ts';

/** An address on which the service listens. */
export type ListenAddress =
  | {
      readonly kind: 'tcp';
      /** An IP address or a name, IPv6 without brackets; null for every address of the host. */
      readonly host: string | null;
      readonly port: number;
    }
  | { readonly kind: 'unix'; readonly path: string };

/** Maximum length of a socket path, in bytes (unix(7), `sun_path`, which ends with a zero). */
const MAX_PATH_BYTES = 107;

/** An address to listen on. */
export const listenAddress = textOf<ListenAddress>(
  'an address and a port, such as 127.0.0.1:8080, [::1]:8080, or :8080 for every address; or unix:/path for a socket in a file',
  (text) => (text.startsWith('unix:') ? readUnix(text.slice('unix:'.length)) : readTcp(text)),
  formatListenAddress,
);

/** A {@link ListenAddress} with a port. */
export type PortAddress = Extract<ListenAddress, { readonly kind: 'tcp' }>;

/** An address with a port, for protocols that have no use for a file. */
export const portAddress = textOf<PortAddress>(
  'an address and a port, such as 127.0.0.1:5300, [::1]:5300, or :5300 for every address',
  readTcp,
  formatListenAddress,
);

/** An address that only this host can reach. */
export const localAddress = textOf<ListenAddress>(
  'a loopback address and a port, such as 127.0.0.1:9180 or [::1]:9180, or unix:/path for a socket in a file',
  (text) => {
    const address = listenAddress.read([text]);
    return typeof address === 'object' && address !== null && isLocal(address) ? address : null;
  },
  formatListenAddress,
);

function isLocal(address: ListenAddress): boolean {
  if (address.kind === 'unix' || address.host === 'localhost') return true;
  const ip = parseIp(address.host ?? '');
  return ip !== null && classifyAddress(ip) === 'loopback';
}

function readUnix(path: string): ListenAddress | null {
  const fits = path.startsWith('/') && !path.endsWith('/') && !path.includes('\0');
  return fits && Buffer.byteLength(path) <= MAX_PATH_BYTES ? { kind: 'unix', path } : null;
}

function readTcp(text: string): PortAddress | null {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65535) return null;
  if (host === '' || host === '*') return { kind: 'tcp', host: null, port: Number(port) };
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const isHost = parseIp(bare) !== null || /^[a-z0-9.-]+$/i.test(bare);
  return isHost ? { kind: 'tcp', host: bare, port: Number(port) } : null;
}

/** Formats an address for {@link listenAddress}. */
export function formatListenAddress(address: ListenAddress): string {
  if (address.kind === 'unix') return `unix:${address.path}`;
  return `${hostInUrl(address.host ?? '*')}:${address.port}`;
}

/** Formats a host for use before a port. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
