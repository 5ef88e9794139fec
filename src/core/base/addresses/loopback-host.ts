import { parseIp } from './ip.ts';

/** Returns whether a host is `localhost` or a loopback address, IPv6 without brackets. */
export function isLoopbackHost(host: string): boolean {
  if (host === 'localhost') return true;
  const ip = parseIp(host);
  return ip !== null && (ip.family === 4 ? ip.value >> 24n === 127n : ip.value === 1n);
}
