import { parseIp } from './ip.ts';

/** Whether a host, an IPv6 address without brackets, is this machine by every reading, so that nobody is in the way. */
export function isThisMachine(host: string): boolean {
  if (host === 'localhost') return true;
  const ip = parseIp(host);
  return ip !== null && (ip.family === 4 ? ip.value >> 24n === 127n : ip.value === 1n);
}
