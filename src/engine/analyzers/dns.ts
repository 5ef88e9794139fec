import { type AddressClass, classifyAddress } from '#src/core/base/addresses/address-class.ts';
import { formatCidr, parseIp, prefixOf } from '#src/core/base/addresses/ip.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { type Host, parseHost } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { DnsRecords, Observations } from '#src/network/probes/observations.ts';
import { type Analyzer, type Feature, feature } from './analyzer.ts';
import { mergeHosts, visitedHosts } from './visited-hosts.ts';

const FEATURES = [
  'dns.scattered_addresses',
  'dns.public_and_private_addresses',
  'dns.parked_name_servers',
  'dns.single_name_server',
  'dns.alias_to_open_platform',
  'dns.no_mail',
  'dns.mail_policy_enforced',
] as const;

type Name = (typeof FEATURES)[number];

const REASSURING: ReadonlySet<Name> = new Set(['dns.mail_policy_enforced']);

/** Addresses of private networks (RFC 1918, RFC 4193) or the loopback; no public site needs them. */
const PRIVATE: ReadonlySet<AddressClass> = new Set(['private', 'unique-local', 'loopback']);

/**
 * Fast flux: many networks behind one name, and a short life. Holz et al. (NDSS 2008) score 1.32 an address and 18.54 a
 * network and call a name fluxing from 142.38 on, which takes seven networks; a /16 stands for a network here.
 */
const FLUX_MAX_TTL_SECONDS = 300;
const FLUX_NETWORKS = 7;
const FLUX_NETWORKS_FULL = 12;

/** Platforms on which anybody can publish at once and anonymously. */
const OPEN_PLATFORMS: ReadonlySet<HostKind> = new Set(['tunnel', 'dynamic_dns', 'ipfs_gateway', 'free_hosting']);

/** Queries without whose answers the mail setup of a domain is unknown. */
const MAIL_QUESTIONS = ['MX', 'TXT', 'DMARC'] as const;

/** Input of the DNS analyzer. */
export interface DnsSubject {
  readonly target: Target;
  readonly observations: Observations;
  readonly knowledge: Pick<Knowledge, 'hostFact' | 'isParkingServer'>;
}

/** Classifies the DNS records of the visited hosts. */
export const dnsAnalyzer: Analyzer<'dns', DnsSubject, Name> = {
  component: 'dns',
  features: FEATURES,
  analyze: ({ target, observations, knowledge }) =>
    mergeHosts(
      visitedHosts(target, observations).map(({ host, seen }) =>
        seen.dns.state === 'observed'
          ? [...addressFeatures(host.text, seen.dns.value), ...nameFeatures(host, seen.dns.value, knowledge)]
          : refusalFeatures(host.text, seen.dns),
      ),
      REASSURING,
    ),
};

/** Returns the signal of a name with both public and internal addresses, which the egress policy refuses. */
function refusalFeatures(host: string, dns: Observations['dns']): Feature<Name>[] | null {
  const isMixed = dns.state === 'failed' && dns.failure.code === 'egress_denied_mixed';
  return isMixed ? [feature('dns.public_and_private_addresses', 1, { host })] : null;
}

function addressFeatures(host: string, { a, aaaa }: DnsRecords): Feature<Name>[] {
  const features: Feature<Name>[] = [];
  const ips = [...a, ...aaaa].flatMap(({ address }) => parseIp(address) ?? []);
  const isPrivate = ips.map((ip) => PRIVATE.has(classifyAddress(ip)));
  if (isPrivate.includes(true) && isPrivate.includes(false)) {
    features.push(feature('dns.public_and_private_addresses', 1, { host }));
  }
  const networks = new Set(a.flatMap(({ address }) => networkOf(address))).size;
  const ttlSeconds = Math.min(...a.map((record) => record.ttlSeconds));
  if (networks >= FLUX_NETWORKS && ttlSeconds <= FLUX_MAX_TTL_SECONDS) {
    const value = Math.min((networks - FLUX_NETWORKS + 1) / (FLUX_NETWORKS_FULL - FLUX_NETWORKS + 1), 1);
    features.push(feature('dns.scattered_addresses', value, { host, networks, seconds: ttlSeconds }));
  }
  return features;
}

function nameFeatures(host: Host, records: DnsRecords, knowledge: DnsSubject['knowledge']): Feature<Name>[] {
  const domain = host.registrable ?? host.text;
  const features: Feature<Name>[] = [];
  const parking = records.ns.find((server) => knowledge.isParkingServer(server));
  const [server = '', ...others] = records.ns;
  if (parking !== undefined) features.push(feature('dns.parked_name_servers', 1, { host: domain, server: parking }));
  if (server !== '' && others.length === 0) {
    features.push(feature('dns.single_name_server', 1, { host: domain, server }));
  }
  const alias = records.cname.find((name) => isOpenPlatform(name, knowledge));
  if (alias !== undefined) {
    features.push(feature('dns.alias_to_open_platform', 1, { host: host.text, platform: alias }));
  }
  // A user of a platform has no mail setup, and the platform's says nothing about the user.
  const isOwn = host.site === host.registrable && knowledge.hostFact(host) === null;
  if (!isOwn || MAIL_QUESTIONS.some((question) => records.unanswered.includes(question))) return features;
  const policy = /;\s*p\s*=\s*(quarantine|reject)\b/i.exec(records.dmarc ?? '')?.[1];
  if (records.mx.length === 0 && records.spf === null && records.dmarc === null) {
    features.push(feature('dns.no_mail', 1, { host: host.site }));
  } else if (records.mx.length > 0 && records.spf !== null && policy !== undefined) {
    features.push(feature('dns.mail_policy_enforced', 1, { host: host.site, policy }));
  }
  return features;
}

function networkOf(address: string): string[] {
  const ip = parseIp(address);
  return ip?.family === 4 ? [formatCidr(prefixOf(ip, 16))] : [];
}

function isOpenPlatform(name: string, knowledge: Pick<Knowledge, 'hostFact'>): boolean {
  const host = parseHost(name);
  const fact = host && knowledge.hostFact(host);
  return fact !== null && OPEN_PLATFORMS.has(fact.kind);
}
