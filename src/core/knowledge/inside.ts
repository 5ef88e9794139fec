import { classifyAddress } from '#src/core/base/addresses/address-class.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { type Host, impossibleName, suffixesOf } from '#src/core/url/host.ts';
import { SPECIAL_TOP_LABELS } from './hosts/suffixes.ts';

/**
 * Returns true if a host is of the operator's own network: an address that is not globally routable, a name that no public
 * name server can answer for, or a domain of a configured brand.
 */
export function isInside(host: Host, ownDomains: ReadonlySet<string>): boolean {
  if (host.kind !== 'name') {
    const ip = parseIp(host.text);
    return ip !== null && classifyAddress(ip) !== 'public';
  }
  const top = host.text.slice(host.text.lastIndexOf('.') + 1);
  if (top === host.text || SPECIAL_TOP_LABELS.has(top) || impossibleName(host) === 'suffix') return true;
  return ownDomains.size > 0 && suffixesOf(host).some((name) => ownDomains.has(name));
}
