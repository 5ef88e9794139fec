import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { type Cidr, parseCidr } from '#src/core/base/addresses/ip.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { type Endpoint, formatEndpoint, parseEndpoint } from '#src/network/egress/endpoint.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { pageProbe } from '#src/network/probes/page.ts';
import { type DnsAction, serveDns } from '#test/network/egress/dns-server.ts';
import { openEgressWith } from '#test/network/egress/loopback.ts';
import { type CertificateAuthority, createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { targetOf } from '#test/support/target.ts';
import vectors from '#test/vectors/ssrf-flow.json' with { type: 'json' };
import { openWorld, type Site } from './ssrf-flow-world.ts';

/**
 * Plays every vector with real sockets and prints what came of each: for `ssrf-flow.test.ts`, in a namespace. With an
 * argument, it is that executable which visits.
 */
interface Vector {
  readonly id: string;
  readonly url: string;
  readonly dns?: Readonly<Record<string, Zone>>;
  readonly http?: Readonly<Record<string, Site>>;
  readonly policy?: { readonly allow?: string[]; readonly deny?: string[]; readonly nat64?: string[] };
  readonly proxy?: string;
  readonly self?: string[];
  readonly parallel?: number;
}

interface Zone {
  readonly A?: string[];
  readonly AAAA?: string[];
  readonly CNAME?: string;
  readonly sequence?: readonly Zone[];
}

const CA_FILE = `${tmpdir()}/lurecheck-ssrf-flow-${process.pid}.pem`;
const [executable] = process.argv.slice(2);
const authority = createCertificateAuthority(Date.now());
const results: Record<string, unknown> = {};
for (const vector of vectors.vectors) results[vector.id] = await play(vector as Vector, authority);
await rm(CA_FILE, { force: true });
process.stdout.write(JSON.stringify(results));

async function play(vector: Vector, ca: CertificateAuthority) {
  await using world = await openWorld(vector.http ?? {}, ca);
  await using dns = await serveDns(answerFrom(vector.dns ?? {}));
  const visited = executable
    ? await visitByExecutable(executable, vector, dns.endpoint, ca)
    : await visitByCode(vector, dns.endpoint, ca);
  const { dialled, requests, serverNames, proxied, peak } = world;
  return { ...visited, dialled, requests, serverNames, proxied, peak };
}

async function visitByCode(vector: Vector, dnsServer: Endpoint, ca: CertificateAuthority) {
  const { allow = [], deny = [], nat64 = [] } = vector.policy ?? {};
  const proxy = vector.proxy ? parseEndpoint(new URL(vector.proxy).host, 3128) : null;
  if (typeof proxy === 'string') throw new Error(proxy);
  await using egress = openEgressWith(
    {
      dns_server: [dnsServer],
      egress_allow: cidrs([...allow, ...nat64]),
      egress_deny: cidrs(deny),
      egress_port: vector.self ? [3000] : [],
      egress_proxy: proxy,
    },
    [ca.pem],
  );
  for (const address of vector.self ?? []) egress.denySelf({ address, port: 3000 });

  const { signal } = new AbortController();
  const visit = async () => {
    const context = {
      egressClient: egress.client(),
      readPage: async (bytes: Uint8Array, source: Parameters<typeof readPage>[1]) => readPage(bytes, source),
      pageTimeoutMs: 5000,
    };
    try {
      const { document, stopped } = await pageProbe.observe(targetOf(vector.url), context, signal);
      return { document: document !== null, failure: stopped };
    } catch (error) {
      if (error instanceof FailureError) return { failure: error.failure };
      throw error;
    }
  };
  const shake = () => egress.client().handshake({ host: targetOf(vector.url).host.text, port: 443 }, signal);
  const [first] = await Promise.all([
    ...Array.from({ length: vector.parallel ?? 1 }, visit),
    // Only there the certificate is looked at beside the page.
    ...(vector.id === 'rebind-tls-vs-http' ? [shake().catch(() => null)] : []),
  ]);
  return first;
}

/** What the executable makes of the page alone: the other look-ups would be seen as connections too. */
async function visitByExecutable(path: string, vector: Vector, dnsServer: Endpoint, ca: CertificateAuthority) {
  const { allow = [], deny = [], nat64 = [] } = vector.policy ?? {};
  const flags = {
    format: ['json'],
    'dns-server': [formatEndpoint(dnsServer)],
    'egress-ca': [CA_FILE],
    'egress-allow': [...allow, ...nat64],
    'egress-deny': deny,
    'egress-proxy': vector.proxy ? [new URL(vector.proxy).host] : [],
    'probe-off': ['dns', 'registration', 'certificate'],
  };
  await Bun.write(CA_FILE, ca.pem);
  const args = Object.entries(flags).flatMap(([name, values]) => values.flatMap((value) => [`--${name}`, value]));
  const child = Bun.spawn([path, 'check', ...args, vector.url], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const { analysis_details: details } = (await child.stdout.json()) as CheckResult;
  const status = details.unavailable.find(({ component }) => component === 'page')?.reason;
  return { document: details.html_available, failure: status === undefined ? null : { code: status, detail: '' } };
}

function answerFrom(zones: Readonly<Record<string, Zone>>) {
  const asked = new Map<string, number>();
  return ({ name, type }: { name: string; type: string }): DnsAction => {
    const count = asked.get(`${name} ${type}`) ?? 0;
    asked.set(`${name} ${type}`, count + 1);
    const zone = zones[name];
    if (!zone) return { rcode: 'NXDOMAIN' };
    const { CNAME, ...own } = zone.sequence?.[Math.min(count, zone.sequence.length - 1)] ?? zone;
    const alias = CNAME ? [{ name, type: 'CNAME', ttl: 0, data: CNAME }] : [];
    const { A = [], AAAA = [] } = CNAME ? (zones[CNAME] ?? {}) : own;
    const data = type === 'A' ? A : type === 'AAAA' ? AAAA : [];
    return { answers: [...alias, ...data.map((address) => ({ name: CNAME ?? name, type, ttl: 0, data: address }))] };
  };
}

function cidrs(texts: readonly string[]): Cidr[] {
  return texts.map((text) => {
    const cidr = parseCidr(text);
    if (typeof cidr === 'string') throw new Error(cidr);
    return cidr;
  });
}
