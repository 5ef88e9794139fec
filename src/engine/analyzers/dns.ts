import { type AddressClass, classifyAddress } from '#src/core/base/addresses/address-class.ts';
import { formatCidr, parseIp, prefixOf } from '#src/core/base/addresses/ip.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { DnsRecords } from '#src/network/probes/dns-records.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { type Host, parseHost } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Analyzer, Feature } from './analyzer.ts';
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

/** Addresses of a private network (RFC 1918, RFC 4193) or of the machine itself; no public site needs them. */
const PRIVATE: ReadonlySet<AddressClass> = new Set(['private', 'unique-local', 'loopback']);

/**
 * Fast flux: many networks behind one name, and a short life. Holz et al. (NDSS 2008) score 1.32 an address and 18.54 a
 * network and call a name fluxing from 142.38 on, which takes seven networks; a /16 stands for a network here.
 */
const FLUX_MAX_TTL_SECONDS = 300;
const FLUX_NETWORKS = 7;
const FLUX_NETWORKS_FULL = 12;

/** Platforms on which anybody can publish at once and without a name. */
const OPEN_PLATFORMS: ReadonlySet<HostKind> = new Set(['tunnel', 'dynamic_dns', 'ipfs_gateway', 'free_hosting']);

/** Without an answer to each of these, nothing can be said of a domain's mail. */
const MAIL_QUESTIONS = ['MX', 'TXT', 'DMARC'] as const;

/** What the analyzer looks at. */
export interface DnsSubject {
  readonly target: Target;
  readonly observations: Observations;
  readonly knowledge: Pick<Knowledge, 'hostFact' | 'isParkingServer'>;
}

/** Judges how the names of the visited hosts are set up. */
export const dnsAnalyzer: Analyzer<'dns', DnsSubject, Name> = {
  component: 'dns',
  features: FEATURES,
  analyze: ({ target, observations, knowledge }) =>
    mergeHosts(
      visitedHosts(target, observations).map(({ host, seen }) =>
        seen.dns.state === 'observed'
          ? [...judgeAddresses(host.text, seen.dns.value), ...judgeNames(host, seen.dns.value, knowledge)]
          : judgeRefusal(host.text, seen.dns),
      ),
      REASSURING,
    ),
};

/** The egress policy refuses a name that leads inside; that others of its addresses are public is a sign all the same. */
function judgeRefusal(host: string, dns: Observations['dns']): Feature<Name>[] | null {
  const isMixed = dns.state === 'failed' && dns.failure.code === 'egress_denied_mixed';
  return isMixed ? [rebinding(host)] : null;
}

function rebinding(host: string): Feature<Name> {
  return {
    name: 'dns.public_and_private_addresses',
    value: 1,
    message: `${host} has a public address and one inside a private network, as in an attack by rebinding`,
  };
}

function judgeAddresses(host: string, { a, aaaa }: DnsRecords): Feature<Name>[] {
  const features: Feature<Name>[] = [];
  const ips = [...a, ...aaaa].flatMap(({ address }) => parseIp(address) ?? []);
  const isPrivate = ips.map((ip) => PRIVATE.has(classifyAddress(ip)));
  if (isPrivate.includes(true) && isPrivate.includes(false)) {
    features.push(rebinding(host));
  }
  const networks = new Set(a.flatMap(({ address }) => networkOf(address))).size;
  const ttlSeconds = Math.min(...a.map((record) => record.ttlSeconds));
  if (networks >= FLUX_NETWORKS && ttlSeconds <= FLUX_MAX_TTL_SECONDS) {
    features.push({
      name: 'dns.scattered_addresses',
      value: Math.min((networks - FLUX_NETWORKS + 1) / (FLUX_NETWORKS_FULL - FLUX_NETWORKS + 1), 1),
      message: `${host} has addresses in ${networks} networks that change every ${ttlSeconds} seconds`,
    });
  }
  return features;
}

function judgeNames(host: Host, records: DnsRecords, knowledge: DnsSubject['knowledge']): Feature<Name>[] {
  const domain = host.registrable ?? host.text;
  const features: Feature<Name>[] = [];
  const add = (name: Name, message: string) => features.push({ name, value: 1, message });
  const parking = records.ns.find((server) => knowledge.isParkingServer(server));
  if (parking !== undefined) add('dns.parked_name_servers', `${domain} is parked: its name server is ${parking}`);
  if (records.ns.length === 1) add('dns.single_name_server', `${domain} has a single name server, ${records.ns[0]}`);
  const alias = records.cname.find((name) => isOpenPlatform(name, knowledge));
  if (alias !== undefined) {
    add('dns.alias_to_open_platform', `${host.text} is an alias of ${alias}, where anybody can publish`);
  }
  // The user of a platform has no mail of its own, and the platform's says nothing of the user.
  const isOwn = host.site === host.registrable && knowledge.hostFact(host) === null;
  if (!isOwn || MAIL_QUESTIONS.some((question) => records.unanswered.includes(question))) return features;
  const policy = /;\s*p\s*=\s*(quarantine|reject)\b/i.exec(records.dmarc ?? '')?.[1];
  if (records.mx.length === 0 && records.spf === null && records.dmarc === null) {
    add('dns.no_mail', `${host.site} is not set up for mail, as domains made for one purpose often are`);
  } else if (records.mx.length > 0 && records.spf !== null && policy !== undefined) {
    add(
      'dns.mail_policy_enforced',
      `${host.site} receives mail and protects its name in mail (SPF and DMARC, ${policy})`,
    );
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
