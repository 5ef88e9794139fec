import { type Cidr, cidrContains, type IpAddress, parseCidr, parseIp, unmapIp } from './ip.ts';

/** Class of an address. Only `public` is globally routable. */
export type AddressClass = 'public' | 'metadata' | 'ipv4-mapped' | (typeof SPECIAL)[number][1];

/**
 * The IANA special-purpose address registries for IPv4 and IPv6, IPv6 global unicast (2000::/3) and the deprecated
 * ranges that hosts still use internally, as of 2025-10-09. The first block that contains an address determines its
 * class. Blocks that the registries call globally reachable, such as AS112's, are special anyway: they have no
 * websites.
 */
const SPECIAL = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'cgnat'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'ietf'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'as112'],
  ['192.52.193.0/24', 'amt'],
  ['192.88.99.0/24', '6to4-relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'as112'],
  ['198.18.0.0/15', 'benchmark'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'ipv4-compatible'],
  ['::ffff:0:0:0/96', 'ipv4-translated'],
  ['64:ff9b::/96', 'nat64'],
  ['64:ff9b:1::/48', 'nat64-local'],
  ['100::/64', 'discard'],
  ['100:0:0:1::/64', 'dummy'],
  ['2001::/32', 'teredo'],
  ['2001::/23', 'ietf'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'as112'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'srv6'],
  ['fc00::/7', 'unique-local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
  // The rest outside 2000::/3. An address that no line contains is `public`.
  ['::/3', 'not-global-unicast'],
  ['4000::/2', 'not-global-unicast'],
  ['8000::/1', 'not-global-unicast'],
] as const;

/** Metadata services of clouds: AWS (with ECS and EKS), Azure, GCP, Alibaba, Oracle, Tencent, Scaleway, OpenStack. */
const METADATA = [
  '169.254.169.254',
  '169.254.169.253',
  '169.254.169.123',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd00:ec2::253',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
].map((text) => required(parseIp(text), text));

const BLOCKS = SPECIAL.map(([text, name]) => ({ cidr: block(text), name }));

/** Returns the class of an address. An IPv4-mapped address has the class of its IPv4 address if that is special. */
export function classifyAddress(ip: IpAddress): AddressClass {
  const inner = unmapIp(ip);
  if (inner !== ip) {
    const carried = classifyAddress(inner);
    return carried === 'public' ? 'ipv4-mapped' : carried;
  }
  if (METADATA.some((known) => known.family === ip.family && known.value === ip.value)) return 'metadata';
  return BLOCKS.find(({ cidr }) => cidrContains(cidr, ip))?.name ?? 'public';
}

/** Returns whether a block contains addresses that are not globally routable. */
export function containsSpecialAddresses(cidr: Cidr): boolean {
  return BLOCKS.some(({ cidr: special }) => cidrContains(special, cidr.network) || cidrContains(cidr, special.network));
}

/** Offset of an embedded IPv4 address, in bits from the right (RFC 4291, RFC 6052, RFC 3056, RFC 4380). */
const EMBEDDING_SHIFTS: Partial<Record<AddressClass, bigint>> = {
  'ipv4-compatible': 0n,
  'ipv4-translated': 0n,
  nat64: 0n,
  '6to4': 80n,
};

/**
 * Returns the IPv4 address to which a packet to this IPv6 address may be translated; null if there is none, or if its
 * position depends on the network (`nat64-local`, `teredo`).
 */
export function embeddedIpv4(ip: IpAddress): IpAddress | null {
  const inner = unmapIp(ip);
  if (inner !== ip) return inner;
  const shift = EMBEDDING_SHIFTS[classifyAddress(ip)];
  return shift === undefined ? null : { family: 4, value: (ip.value >> shift) & 0xffffffffn };
}

function block(text: string): Cidr {
  const cidr = parseCidr(text);
  if (typeof cidr === 'string') throw new Error(cidr);
  return cidr;
}

function required<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`${what} cannot be read`);
  return value;
}
