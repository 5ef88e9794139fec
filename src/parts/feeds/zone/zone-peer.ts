import { type Cidr, formatCidr, formatIp, parseUnmappedCidr } from '#src/core/base/addresses/ip.ts';
import { hostInUrl } from '#src/core/base/settings/listen-address.ts';
import { textOf } from '#src/core/base/settings/setting-kind.ts';

/** Name servers that may transfer the zone. */
export interface ZonePeer {
  readonly network: Cidr;
  /** Address for notifications of changes; null for a block, even of one address. */
  readonly notified: { readonly address: string; readonly port: number } | null;
}

/** Port of name servers. */
const DNS_PORT = 53;

/** A name server, or a block of them. */
export const zonePeer = textOf<ZonePeer>(
  'an address, with the port for NOTIFY unless it is 53, such as 192.0.2.53 or [2001:db8::53]:5300; or a CIDR block, which is not notified',
  readPeer,
  ({ network, notified }) => {
    if (notified === null) return formatCidr(network);
    return notified.port === DNS_PORT ? notified.address : `${hostInUrl(notified.address)}:${notified.port}`;
  },
);

function readPeer(text: string): ZonePeer | null {
  const [, bracketed, bare, digits] = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const host = bracketed ?? bare;
  if (port < 1 || port > 65_535 || host?.includes('/')) return null;
  const network = parseUnmappedCidr(host ?? text);
  if (typeof network === 'string') return null;
  return { network, notified: text.includes('/') ? null : { address: formatIp(network.network), port } };
}
