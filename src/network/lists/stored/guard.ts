import { classifyAddress, containsSpecialAddresses } from '#src/core/base/addresses/address-class.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import {
  FORM_SERVICES,
  SHARED_SERVERS,
  SIGN_ON_SERVICES,
  WIDELY_LINKED_HOSTS,
} from '#src/core/knowledge/hosts/page-hosts.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { coversDomain, type Host, hostOf } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { isPublicSuffix } from '../entry.ts';
import { isWholeHost, type StoredEntry } from './stored-entry.ts';

/** Why an entry is stored without being applied. */
export const QUARANTINES = ['public_suffix', 'platform', 'own_domain', 'popular_site', 'private_addresses'] as const;

/** One of {@link QUARANTINES}. */
export type Quarantine = (typeof QUARANTINES)[number];

/** Why an entry would do more harm than good; null for any other. */
export type ListGuard = (entry: StoredEntry) => Quarantine | null;

/** The most visited sites have this rank class, or a lower one: they are the first ten thousand. */
const TEN_THOUSAND = 4;

const SHARED = [FORM_SERVICES, SIGN_ON_SERVICES, SHARED_SERVERS, WIDELY_LINKED_HOSTS];

/**
 * Holds back entries that cover sites of many owners: a public suffix, a platform, one of the ten thousand most visited
 * sites, a domain of the operator, addresses outside the public internet. A path or host within these is accepted.
 *
 * @param ownDomains domains of the configured brands
 */
export function createListGuard(
  { hostFact, popularityOf }: Pick<Knowledge, 'hostFact' | 'popularityOf'>,
  ownDomains: readonly string[],
): ListGuard {
  return (entry) => {
    if (entry.kind === 'block') return containsSpecialAddresses(entry.block) ? 'private_addresses' : null;
    if (entry.kind !== 'host' && !isWholeHost(entry)) return null;
    const address = parseIp(entry.host);
    if (address) return classifyAddress(address) === 'public' ? null : 'private_addresses';
    const host = hostOf(entry.host.replace(/^www\./, ''));
    if (isPublicSuffix(host)) return 'public_suffix';
    if (ownDomains.some((domain) => coversDomain(host.text, domain))) return 'own_domain';
    if (hostFact(host)?.domain === host.text) return 'platform';
    if (host.text === host.site && isPopular(host.text)) return 'popular_site';
    return isShared(host) ? 'platform' : null;
  };

  function isPopular(name: string): boolean {
    const target = parseTarget(`http://${name}/`);
    const rank = isTargetProblem(target) ? null : popularityOf(target);
    return rank !== null && rank <= TEN_THOUSAND;
  }
}

/** Returns true if a table of shared hosts contains the host itself, and not only a parent domain. */
function isShared(host: Host): boolean {
  const above = host.text.slice(host.text.indexOf('.') + 1);
  return SHARED.some((hosts) => hosts.has(host) && !hosts.has(hostOf(above)));
}
