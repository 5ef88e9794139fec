import { expect, test } from 'bun:test';
import net from 'node:net';
import { readConfig } from '#src/app/config.ts';
import { type Compartment, type Network, openNetwork } from '#src/app/network.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { PATIENCE } from '#test/network/egress/loopback.ts';
import { type Internet, startInternet } from '#test/support/internet.ts';
import { PATIENT_SECONDS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';

const DEFAULTS = readConfig({ flags: {}, environment: {}, file: null }).values;
const SITE = 'shop.example';
const CLIENT = '192.0.2.1';
/** How long what waits in vain is waited for; nothing fails where it is too short. */
const BRIEF_MS = 300;

/** The network of the product, in a small internet, with room for one of everything in each compartment. */
function openSmallNetwork(internet: Internet): Network {
  return openNetwork(
    {
      ...DEFAULTS,
      ...PATIENCE,
      ...internet.egress,
      ...internet.registries,
      deadline_seconds: PATIENT_SECONDS,
      dns_concurrency: 1,
      connections_per_address: 1,
      check_concurrency: 1,
      client_concurrency: 1,
      queue_length: 0,
    },
    {
      lists: { block: [], allow: [], stored: [] },
      authorities: [internet.authority.pem],
      self: [],
      readPage: async (bytes, source) => readPage(bytes, source),
      serverTables: () => [],
      clock: systemClock,
      logger: createLogger('error', () => {}),
    },
  );
}

interface World {
  readonly internet: Internet;
  readonly network: Network;
  readonly url: string;
}

async function inWorld(run: (world: World) => Promise<void>): Promise<void> {
  await using internet = await startInternet({ [SITE]: {} });
  await using network = openSmallNetwork(internet);
  await run({ internet, network, url: internet.url(SITE) });
}

/** What a check of the compartment sees, but for how long it took. */
async function look({ network, url }: World, compartment: Compartment): Promise<unknown> {
  const seen = await network.observe({ target: targetOf(url), client: CLIENT }, compartment);
  return JSON.parse(JSON.stringify(seen), (key, value) => (key === 'elapsedMs' ? 0 : value));
}

/** What a check sees that nobody hinders. */
const WHOLE = {
  dns: { state: 'observed' },
  registration: { state: 'observed' },
  certificate: { state: 'observed' },
  page: { state: 'observed' },
};

const never = new AbortController().signal;
const forever = () => new Promise<never>(() => {});

/** Every trace that a check leaves in its compartment while it is under way or afterwards. */
const TRACES: Readonly<Record<string, (compartment: Compartment, world: World) => unknown>> = {
  'a place at the network': ({ admission }) => void admission.run({ key: 'another', client: CLIENT }, forever),
  'an identical check in flight': ({ admission }, { url }) =>
    void admission.run({ key: `all ${url}`, client: CLIENT }, forever),
  'a stored registration': ({ hostCaches }) =>
    hostCaches.registration.set(SITE, { domain: SITE, registrar: 'a trace' } as never, 60_000),
  'a stored certificate': ({ hostCaches }, { internet }) =>
    hostCaches.certificate.set(
      `https ${SITE} ${new URL(internet.url(SITE)).port}`,
      { subject: 'a trace' } as never,
      60_000,
    ),
  'a DNS answer': ({ dnsCache }) =>
    dnsCache.A.stored.set(
      SITE,
      { rcode: 'NOERROR', records: [], chain: ['a.trace'], authenticated: false, cacheSeconds: 60 },
      60_000,
    ),
  'a DNS query in flight': ({ dnsCache }) => dnsCache.MX.inFlight.set(SITE, forever()),
  'a place at the resolvers': ({ dnsSemaphore }) => dnsSemaphore.acquire(never),
  'a place at an address': ({ addressSemaphores }, { internet }) =>
    addressSemaphores(`${internet.addressOf(SITE)} ${SITE}`, never),
  'a registry that wants to be left alone': ({ registryThrottle }, { internet }) => {
    for (const server of registryServers(internet)) registryThrottle.pause(server, 60_000);
  },
  'the places at a registry': async ({ registryThrottle }, { internet }) => {
    for (const server of registryServers(internet)) await registryThrottle.acquire(server, never);
    for (const server of registryServers(internet)) await registryThrottle.acquire(server, never);
  },
  'a question to a registry under way': ({ registryThrottle }) => void registryThrottle.share(SITE, never, forever),
};

function registryServers({ registries }: Internet): string[] {
  const [rdap] = registries.rdap_server;
  const [whois] = registries.whois_server;
  return [rdap?.server ?? '', whois?.server.replace(/:\d+$/, '') ?? ''];
}

test.each(Object.entries(TRACES))(
  '%s in one compartment affects that compartment and not the other',
  async (_, leave) => {
    await inWorld(async (world) => {
      await using untouched = openSmallNetwork(world.internet);
      const inPeace = await look({ ...world, network: untouched }, untouched.compartments.public);
      expect(inPeace).toMatchObject(WHOLE);
      const { compartments } = world.network;
      await leave(compartments.private, world);
      expect(await look(world, compartments.public)).toEqual(inPeace);
      // The trace is real: a check of the compartment itself waits for it, is refused, or sees it.
      const own = look(world, compartments.private).catch((error: unknown) => error);
      expect(await Promise.race([own, Bun.sleep(BRIEF_MS)])).not.toEqual(inPeace);
    });
  },
);

test('the compartments share no object', async () => {
  await inWorld(async (world) => {
    const { compartments } = world.network;
    await Promise.all([look(world, compartments.public), look(world, compartments.private)]);
    const [one, other] = [reachable(compartments.public), reachable(compartments.private)];
    expect(one.size).toBeGreaterThan(50);
    expect(one.intersection(other)).toEqual(new Set());
  });
});

test('idle connections of one compartment are not used by the other, and end with the network', async () => {
  await using internet = await startInternet({ [SITE]: {} });
  const network = openSmallNetwork(internet);
  const { compartments } = network;
  const leave = ({ idleConnections }: Compartment, server: string) => {
    const [carrier, socket] = [new net.Socket(), new net.Socket()];
    const peer = { chain: [], authorizationError: null, protocol: 'TLSv1.3' };
    idleConnections.put(server, server, { carrier, socket, peer });
    return [carrier, socket];
  };
  const sockets = [...leave(compartments.private, 'a'), ...leave(compartments.public, 'b')];
  expect(compartments.public.idleConnections.take('a')).toBeNull();
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual(Array(4).fill(false));
  await network[Symbol.asyncDispose]();
  // A check that ends later leaves none, either.
  sockets.push(...leave(compartments.private, 'c'));
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual(Array(6).fill(true));
});

/** Every object and function that can be reached from a value, itself included. */
function reachable(value: unknown, seen = new Set<object>()): Set<object> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return seen;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) reachable(Reflect.get(value, key), seen);
  if (value instanceof Map) for (const entry of value) reachable(entry, seen);
  if (value instanceof Set) for (const member of value) reachable(member, seen);
  return seen;
}

test('a lookup of the host sends no request to it, and reads no certificate for an http link', async () => {
  await inWorld(async ({ internet, network, url }) => {
    const { private: compartment } = network.compartments;
    const ask = (link: string) => network.observeHost({ target: targetOf(link), client: CLIENT }, compartment);
    const secure = await ask(`${url}reset?token=abc`);
    expect([secure.dns.state, secure.registration.state, secure.certificate.state]).toEqual(Array(3).fill('observed'));
    expect(secure.page).toEqual({ state: 'skipped', reason: 'disabled' });
    const plain = await ask(`http://user:pw@${SITE}/reset?token=abc`);
    expect([plain.dns.state, plain.registration.state, plain.certificate.state]).toEqual([
      'observed',
      'observed',
      'skipped',
    ]);
    expect(internet.visits.filter((visit) => visit.startsWith('http') && !visit.includes('/domain/'))).toEqual([]);
  });
});
