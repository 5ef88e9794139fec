/** An IP address as a number: 32 bits for family 4, 128 for family 6. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A CIDR block; `network` has no bit set behind the prefix. */
export interface Cidr {
  readonly network: IpAddress;
  /** Prefix length in bits: 0–32 for family 4, 0–128 for family 6. */
  readonly bits: number;
}

const IPV4_PART = /^(?:0|[1-9]\d{0,2})$/;
const IPV6_GROUP = /^[0-9a-f]{1,4}$/i;
const IPV4_MAPPED = 0xffffn << 32n;

const width = (family: 4 | 6): bigint => (family === 4 ? 32n : 128n);

/**
 * Parses the standard text of an address: four decimal numbers, or RFC 4291 §2.2 with or without an IPv4 tail. Null for
 * everything else, including the octal, hexadecimal and short forms of `inet_aton`, and zones (`%eth0`).
 */
export function parseIp(text: string): IpAddress | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): IpAddress | null {
  // Fast path: most inputs are names, which do not end with a digit.
  if (!isDigit(text.charCodeAt(text.length - 1))) return null;
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  let value = 0;
  for (const part of parts) {
    if (!IPV4_PART.test(part) || Number(part) > 255) return null;
    value = value * 256 + Number(part);
  }
  return { family: 4, value: BigInt(value) };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function parseIpv6(text: string): IpAddress | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map(readGroups);
  if (!head || (halves.length === 2 && !tail)) return null;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array<number>(Math.max(missing, 0)).fill(0), ...(tail ?? [])];
  // An IPv4 tail stands for two groups and may only come last, which in `1.2.3.4::` it does not.
  if (halves.length === 2 && halves[0]?.includes('.')) return null;
  return { family: 6, value: groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n) };
}

/** The 16-bit groups between colons; null if one is malformed. */
function readGroups(text: string): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const tail = index === parts.length - 1 ? parseIpv4(part) : null;
      if (!tail) return null;
      groups.push(Number(tail.value >> 16n), Number(tail.value & 0xffffn));
    } else if (IPV6_GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return null;
    }
  }
  return groups;
}

/** Formats an address: dotted decimal, or RFC 5952 (lower case, the longest run of zeros shortened, no IPv4 tail). */
export function formatIp(ip: IpAddress): string {
  if (ip.family === 4) return [24n, 16n, 8n, 0n].map((shift) => (ip.value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => Number((ip.value >> BigInt(112 - 16 * i)) & 0xffffn));
  const run = longestZeroRun(groups);
  const hex = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return run ? `${hex(0, run.start)}::${hex(run.end, 8)}` : hex(0, 8);
}

function longestZeroRun(groups: readonly number[]): { start: number; end: number } | null {
  let best: { start: number; end: number } | null = null;
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start >= 2 && end - start > (best ? best.end - best.start : 0)) best = { start, end };
    start = Math.max(start, end);
  }
  return best;
}

/** Converts an IPv4-mapped IPv6 address (`::ffff:0:0/96`) to IPv4; returns every other address unchanged. */
export function unmapIp(ip: IpAddress): IpAddress {
  return ip.family === 6 && ip.value >> 32n === IPV4_MAPPED >> 32n ? { family: 4, value: ip.value & 0xffffffffn } : ip;
}

/** Returns the block of `bits` that contains `ip`. */
export function prefixOf(ip: IpAddress, bits: number): Cidr {
  const shift = width(ip.family) - BigInt(bits);
  return { network: { family: ip.family, value: (ip.value >> shift) << shift }, bits };
}

/** Parses `address/bits`, or an address as a block of one. Returns a string that says why the text is invalid. */
export function parseCidr(text: string): Cidr | string {
  const [address = '', bitsText, ...rest] = text.split('/');
  const ip = parseIp(address);
  if (!ip || rest.length > 0) return `"${text}" is not an IP address or CIDR block`;
  const bits = bitsText === undefined ? Number(width(ip.family)) : Number(bitsText);
  if (bitsText !== undefined && (!/^\d{1,3}$/.test(bitsText) || bits > width(ip.family))) {
    return `"${text}" has no valid prefix length`;
  }
  const cidr = prefixOf(ip, bits);
  return cidr.network.value === ip.value ? cidr : `"${text}" has bits set behind its prefix; write ${formatCidr(cidr)}`;
}

/** {@link parseCidr} for blocks to compare with unmapped addresses, which an IPv4-mapped block would never match. */
export function parseUnmappedCidr(text: string): Cidr | string {
  const cidr = parseCidr(text);
  if (typeof cidr === 'string' || cidr.bits < 96 || unmapIp(cidr.network) === cidr.network) return cidr;
  return `"${text}" maps IPv4; write ${formatCidr(prefixOf(unmapIp(cidr.network), cidr.bits - 96))}`;
}

/** Canonical text of a block, such as `10.0.0.0/8`. */
export function formatCidr(cidr: Cidr): string {
  return `${formatIp(cidr.network)}/${cidr.bits}`;
}

/** Returns whether `cidr` contains `ip`. Unmap the address first. */
export function cidrContains(cidr: Cidr, ip: IpAddress): boolean {
  const shift = width(ip.family) - BigInt(cidr.bits);
  return cidr.network.family === ip.family && cidr.network.value >> shift === ip.value >> shift;
}

/** Returns whether a host is `localhost` or a loopback address, IPv6 without brackets. */
export function isLoopbackHost(host: string): boolean {
  if (host === 'localhost') return true;
  const ip = parseIp(host);
  return ip !== null && (ip.family === 4 ? ip.value >> 24n === 127n : ip.value === 1n);
}
