import dgram from 'node:dgram';
import { once } from 'node:events';
import type { EgressSettings } from '#src/network/egress/settings.ts';
import type { RegistrySettings } from '#src/network/registry/settings.ts';
import { type DnsAction, serveDns } from '#test/network/egress/dns-server.ts';
import { encodeReply } from '#test/network/egress/dns-wire.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import type { Listening } from '#test/support/listen.ts';
import { answerRdap, answerWhois, type Registrations } from '#test/support/registry.ts';
import { type Behaviour, serveBehaviour } from '#test/support/tcp-behaviour.ts';
import { serveWeb } from '#test/support/web-server.ts';
import { serveWhois } from '#test/support/whois-server.ts';

/** A server that behaves in one way, and how a probe gets to it. */
export interface Arena extends AsyncDisposable {
  readonly url: string;
  readonly egress: Partial<EgressSettings>;
  readonly registries?: Pick<RegistrySettings, 'rdap_server' | 'whois_server'>;
  /** Connections, or datagrams, that reached the server under test. */
  readonly reached: () => number;
  readonly openSockets: () => number;
}

const authority = createCertificateAuthority(Date.now());
const certificateOf = (name: string) => ({ leaf: authority.issue({ subject: name }) });
const REGISTRATIONS: Registrations = new Map([['site.example', { created: '2012-03-04T05:06:07Z' }]]);
const HTTP_FLOOD = Buffer.from('x'.repeat(65_536));
const isReal = (behaviour: Behaviour) => behaviour === 'success' || behaviour === 'denied';

/** Everything resolves to this machine; `act` may say otherwise. */
async function arenaAround(
  server: Listening,
  make: (port: number) => Pick<Arena, 'url' | 'registries'>,
): Promise<Arena> {
  const dns = await serveDns(({ type }) =>
    type === 'A' ? { answers: [{ name: '@', type, ttl: 60, data: '127.0.0.1' }] } : {},
  );
  return {
    ...make(server.port),
    egress: { dns_server: [dns.endpoint], egress_port: [server.port] },
    reached: server.connections,
    openSockets: server.openSockets,
    async [Symbol.asyncDispose]() {
      await dns[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A registry that speaks WHOIS alone. */
export async function whoisArena(behaviour: Behaviour): Promise<Arena> {
  const server = isReal(behaviour)
    ? await serveWhois((domain) => answerWhois(REGISTRATIONS, domain))
    : await serveBehaviour(behaviour, Buffer.from('% terms of use\r\n'.repeat(4096)));
  return await arenaAround(server, (port) => ({
    url: 'http://www.site.example/',
    registries: {
      rdap_server: [{ suffix: '*', server: '' }],
      whois_server: [{ suffix: '*', server: `whois.lab.example:${port}` }],
    },
  }));
}

/** A registry that speaks RDAP alone. */
export async function rdapArena(behaviour: Behaviour): Promise<Arena> {
  const host = 'rdap.lab.example';
  const huge = { headers: { 'content-type': 'application/rdap+json' }, body: ' '.repeat(1 << 20) };
  const server =
    isReal(behaviour) || behaviour === 'oversized'
      ? await serveWeb(
          (path) => (behaviour === 'oversized' ? huge : answerRdap(REGISTRATIONS, path)),
          certificateOf(host),
        )
      : await serveBehaviour(behaviour, HTTP_FLOOD);
  return await arenaAround(server, (port) => ({
    url: 'http://www.site.example/',
    registries: {
      rdap_server: [{ suffix: '*', server: `https://${host}:${port}/` }],
      whois_server: [{ suffix: '*', server: '' }],
    },
  }));
}

/** A site over HTTPS. */
export async function tlsArena(behaviour: Behaviour): Promise<Arena> {
  const server = isReal(behaviour)
    ? await serveWeb(() => ({}), certificateOf('site.example'))
    : await serveBehaviour(behaviour, Buffer.alloc(65_536, 0x16));
  return await arenaAround(server, (port) => ({ url: `https://site.example:${port}/` }));
}

/** A site over HTTP. */
export async function pageArena(behaviour: Behaviour): Promise<Arena> {
  const server =
    isReal(behaviour) || behaviour === 'oversized'
      ? await serveWeb(() => ({ body: behaviour === 'oversized' ? 'x'.repeat(1 << 23) : '<title>Site</title>' }))
      : await serveBehaviour(behaviour, HTTP_FLOOD);
  return await arenaAround(server, (port) => ({ url: `http://site.example:${port}/` }));
}

const DNS_ACTIONS: Readonly<Record<Exclude<Behaviour, 'reset' | 'refused'>, DnsAction>> = {
  success: { answers: [{ name: '@', type: 'A', ttl: 60, data: '127.0.0.1' }] },
  denied: { answers: [{ name: '@', type: 'A', ttl: 60, data: '127.0.0.1' }] },
  silent: { drop: true },
  aborted: { drop: true },
  oversized: { answersRepeat: { type: 'A', base: '127.0.', count: 2000 } },
  malformed: { rawExact: '00ff01' },
};

/** A resolver. */
export async function dnsArena(behaviour: Behaviour): Promise<Arena> {
  if (behaviour === 'reset' || behaviour === 'refused') return await cutDnsArena(behaviour);
  const dns = await serveDns(({ type }) => (type === 'A' || behaviour !== 'success' ? DNS_ACTIONS[behaviour] : {}));
  return {
    url: 'http://site.example/',
    egress: { dns_server: [dns.endpoint] },
    reached: () => dns.queries.length,
    openSockets: () => 0,
    [Symbol.asyncDispose]: () => dns[Symbol.asyncDispose](),
  };
}

/** A resolver that says “ask me over TCP” and there cuts every connection, or refuses it. */
async function cutDnsArena(behaviour: 'reset' | 'refused'): Promise<Arena> {
  const tcp = await serveBehaviour(behaviour, HTTP_FLOOD);
  const udp = dgram.createSocket('udp4');
  udp.on('message', (query, from) => udp.send(encodeReply(query, { tc: true }), from.port, from.address));
  udp.bind(tcp.port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    url: 'http://site.example/',
    egress: { dns_server: [{ address: '127.0.0.1', port: tcp.port }] },
    reached: tcp.connections,
    openSockets: tcp.openSockets,
    async [Symbol.asyncDispose]() {
      udp.close();
      if (behaviour === 'reset') await tcp[Symbol.asyncDispose]();
    },
  };
}

/** What an egress client needs in order to trust the arenas. */
export const ARENA_AUTHORITY_PEM = authority.pem;
