/** Blocks that belong to the namespace, as shell commands that make it so; whoever binds to one of their addresses has it. */
export const OWN_BLOCKS = [
  'ip route add local 11.0.0.0/8 dev lo',
  'ip route add local 12.0.0.0/8 dev lo',
  'ip -6 route add local 2a10::/16 dev lo',
  'sysctl -qw net.ipv6.ip_nonlocal_bind=1',
];

/** The block of clients for whom the limit is lifted. */
export const UNLIMITED_BLOCK = '12.0.0.0/8';

const octets = (n: number) => `${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** The n-th of up to 16 million clients: every other one with an IPv4 address, and in a /48 of its own. */
export function clientAddress(n: number): string {
  return n % 2 === 0 ? `11.${octets(n)}` : `2a10:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;
}

/** The n-th client without a limit. */
export const unlimitedAddress = (n: number): string => `12.${octets(n)}`;
