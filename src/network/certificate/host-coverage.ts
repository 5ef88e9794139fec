import { formatIp, parseIp } from '#src/core/base/addresses/ip.ts';
import type { SubjectNames } from './x509-extensions.ts';

/**
 * Returns true if a certificate's names cover `host`, by RFC 9525 §6: the subject's common name never counts; a star stands
 * for exactly one whole label, the first, and at least two labels follow it. `host` is lower case.
 */
export function coversHost(names: SubjectNames, host: string): boolean {
  const ip = parseIp(host);
  if (ip) return names.ips.includes(formatIp(ip));
  return names.dns.some((name) => coversName(name.toLowerCase(), host));
}

function coversName(name: string, host: string): boolean {
  if (!name.startsWith('*.')) return name === host;
  const base = name.slice(1);
  const label = host.slice(0, -base.length);
  return base.indexOf('.', 1) > 1 && host.endsWith(base) && label !== '' && !label.includes('.');
}
