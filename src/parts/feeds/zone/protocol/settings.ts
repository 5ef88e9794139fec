import { type Cidr, formatCidr, formatIp, parseUnmappedCidr } from '#src/core/base/addresses/ip.ts';
import { hostInUrl, portAddress } from '#src/core/base/settings/listen-address.ts';
import { reloadable, type SettingRule, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, secret, textOf } from '#src/core/base/settings/setting-kind.ts';

/** Name of the response policy zone; the names of its records are relative to it. */
export const ZONE_NAME = 'rpz.lurecheck';

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

/** Algorithms of signatures (RFC 8945 §6) by their name, with the length of a signature in bytes. */
export const TSIG_ALGORITHMS = {
  'hmac-sha256': { hash: 'sha256', bytes: 32 },
  'hmac-sha384': { hash: 'sha384', bytes: 48 },
  'hmac-sha512': { hash: 'sha512', bytes: 64 },
} as const;

/** Name of an algorithm. */
export type TsigAlgorithm = keyof typeof TSIG_ALGORITHMS;

/** A secret that a secondary shares with this service. */
export interface TsigKey {
  /** In lower case, without the final dot. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Buffer;
}

/** Length of a secret, in bytes. */
const SECRET_BYTES = { least: 16, most: 128 } as const;

const MAX_NAME = 200;

/** A key in the notation of `dig -y`. */
export const tsigKey = secret(
  textOf<TsigKey>(
    'NAME:SECRET or ALGORITHM:NAME:SECRET, as for dig -y: hmac-sha256 (default), hmac-sha384 or hmac-sha512, and a secret of 16 to 128 bytes in base64',
    readKey,
    ({ algorithm, name }) => `${algorithm}:${name}:***`,
  ),
);

function readKey(text: string): TsigKey | null {
  const parts = text.split(':');
  const [algorithm, name = '', encoded = ''] = parts.length === 2 ? ['hmac-sha256', ...parts] : parts;
  if (parts.length > 3 || !isAlgorithm(algorithm)) return null;
  const isName = /^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*\.?$/i.test(name) && name.length <= MAX_NAME;
  const key = Buffer.from(encoded, 'base64');
  const isSecret = /^[A-Za-z\d+/]+={0,2}$/.test(encoded);
  if (!isName || !isSecret || key.length < SECRET_BYTES.least || key.length > SECRET_BYTES.most) return null;
  return { name: name.toLowerCase().replace(/\.$/, ''), algorithm, secret: key };
}

function isAlgorithm(text: string | undefined): text is TsigAlgorithm {
  return text !== undefined && Object.hasOwn(TSIG_ALGORITHMS, text);
}

/** Settings of the zone transfer. */
export const ZONE_SETTINGS = {
  zone_listen: setting(
    ['serve'],
    listOf(portAddress),
    [],
    'Addresses from which name servers transfer the response policy zone, over UDP and TCP. None by default.',
  ),
  zone_peers: reloadable(
    setting(
      ['serve'],
      listOf(zonePeer),
      [],
      'Name servers that may transfer the zone; those that are not a block are notified of changes. Loopback addresses always may.',
    ),
  ),
  zone_keys: reloadable(
    setting(
      ['serve'],
      listOf(tsigKey),
      [],
      'Keys for signed transfers (TSIG). With a key, every request must be signed.',
    ),
  ),
};

/** Values of {@link ZONE_SETTINGS}. */
type ZoneSettings = SettingValues<typeof ZONE_SETTINGS>;

/** A request names its key, so that a name must lead to one secret. */
export const ZONE_KEYS_RULE: SettingRule<ZoneSettings> = {
  between: ['zone_keys'],
  problem({ zone_keys: keys }) {
    const names = keys.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    return twice === undefined ? null : `zone_keys has two keys with the name ${twice}`;
  },
};
