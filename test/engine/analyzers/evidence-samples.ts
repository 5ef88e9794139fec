import type { HostFact, HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Host } from '#src/core/url/host.ts';
import type { CertificateInfo } from '#src/network/certificate/info.ts';
import {
  type DnsRecords,
  type HostObservations,
  type Observation,
  type Observations,
  skippedObservations,
} from '#src/network/probes/observations.ts';
import { type PageVisit, type RedirectHop, visitOf } from '#src/network/probes/page-visit.ts';
import type { Registration } from '#src/network/registry/registration-facts.ts';
import { targetOf } from '#test/support/target.ts';

/** Observations in which every probe was skipped. */
export const NOTHING: Observations = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

/** Synthetic knowledge, so that the curated tables may change independently. */
const KINDS: Readonly<Record<string, HostKind>> = {
  'sho.rt': 'shortener',
  'tunnel.example': 'tunnel',
  'pages.example': 'builder',
};
export const KNOWLEDGE = {
  hostFact({ text }: Host): HostFact | null {
    const domain = Object.keys(KINDS).find((name) => `.${text}`.endsWith(`.${name}`));
    const kind = domain === undefined ? undefined : KINDS[domain];
    return domain === undefined || kind === undefined ? null : { domain, kind };
  },
  isParkingServer: (nameserver: string) => nameserver.endsWith('.parking.example'),
};

export function observed<T>(value: T): Observation<T> {
  return { state: 'observed', value, elapsedMs: 1 };
}

/** An ordinary registration of two years ago. */
export function registration(changes: Partial<Registration> = {}): Registration {
  return {
    source: 'rdap',
    domain: 'example.com',
    registrar: 'Example Registrar',
    createdAt: '2024-01-01T00:00:00.000Z',
    updatedAt: null,
    expiresAt: null,
    statuses: ['client transfer prohibited'],
    nameservers: ['ns1.example.net', 'ns2.example.net'],
    registrantCountry: null,
    ageDays: 700,
    ...changes,
  };
}

/** An ordinary certificate of a month ago. */
export function certificate(changes: Partial<CertificateInfo> = {}): CertificateInfo {
  return {
    trusted: true,
    faults: [],
    subject: 'CN=example.com',
    issuer: 'CN=Example Authority',
    sans: ['example.com', 'www.example.com'],
    sanCount: 2,
    validFrom: '2026-01-01T00:00:00.000Z',
    validTo: '2026-04-01T00:00:00.000Z',
    daysRemaining: 60,
    ageDays: 30,
    key: 'EC P-256',
    signatureAlgorithm: 'ecdsa-with-SHA256',
    fingerprintSha256: '0'.repeat(64),
    chain: ['CN=example.com', 'CN=Example Authority'],
    protocol: 'TLSv1.3',
    ...changes,
  };
}

/** The records of an ordinary host. */
export function dnsRecords(changes: Partial<DnsRecords> = {}): DnsRecords {
  return {
    a: [{ address: '203.0.113.1', ttlSeconds: 300 }],
    aaaa: [],
    cname: [],
    ns: ['ns1.example.net', 'ns2.example.net'],
    mx: [{ exchange: 'mail.example.com', preference: 10 }],
    soa: null,
    txt: [],
    caa: [],
    spf: 'v=spf1 -all',
    dmarc: null,
    authenticated: false,
    unanswered: [],
    ...changes,
  };
}

/** Returns a visit with redirects through `urls`. */
export function visit(...urls: readonly string[]): PageVisit {
  const redirects: RedirectHop[] = urls
    .slice(0, -1)
    .map((url, i) => ({ url, status: 302, location: urls[i + 1] ?? null, address: '203.0.113.1', how: 'http' }));
  return { ...visitOf(targetOf(urls.at(-1) ?? ''), { contentLength: 0, document: null }), redirects };
}

/** Returns observations of a visit to `url` that ended at `landing`, with the given ones of each host. */
export function landingObservations(
  url: string,
  asked: Partial<HostObservations>,
  landing: string,
  landed: Partial<HostObservations>,
): Observations {
  return {
    ...NOTHING,
    ...asked,
    page: observed(visit(url, landing)),
    landing: { ...NOTHING, ...landed, host: targetOf(landing).host.text },
  };
}
