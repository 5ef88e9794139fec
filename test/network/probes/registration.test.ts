import { expect, test } from 'bun:test';
import { DAY_MS } from '#src/core/base/clock.ts';
import { loadRegistryServers } from '#src/core/knowledge/registries/registry-servers.ts';
import { registrationProbe } from '#src/network/probes/registration.ts';
import { createRegistryThrottle } from '#src/network/probes/registry-throttle.ts';
import { createRegistryDirectory } from '#src/network/registry/directory.ts';
import { type Internet, startInternet } from '#test/support/internet.ts';
import { fixedClock, NOW_MS } from '#test/support/now.ts';
import type { RegistrationPlan } from '#test/support/registry.ts';
import { targetOf } from '#test/support/target.ts';

const directoryFor = (internet: Internet) => createRegistryDirectory(loadRegistryServers(), internet.registries);

async function observe(internet: Internet, name: string, registryThrottle = createRegistryThrottle(fixedClock)) {
  await using egress = internet.open();
  const context = {
    egressClient: egress.client(),
    clock: fixedClock,
    registries: directoryFor(internet),
    registryThrottle,
  };
  return await registrationProbe.observe(targetOf(internet.url(name)), context, new AbortController().signal);
}

const registered = (registration: RegistrationPlan | null) => startInternet({ 'www.bank.example': { registration } });

test('queries RDAP first, and not WHOIS if RDAP answers', async () => {
  const created = `${new Date(NOW_MS - 3 * DAY_MS).toISOString().slice(0, 10)}T00:00:00.000Z`;
  await using internet = await registered({ created });
  expect(await observe(internet, 'www.bank.example')).toEqual({
    source: 'rdap',
    domain: 'bank.example',
    registrar: 'Lab Registrar',
    createdAt: created,
    updatedAt: null,
    expiresAt: null,
    statuses: ['active'],
    nameservers: ['ns1.lab.example', 'ns2.lab.example'],
    registrantCountry: null,
  });
  expect(internet.visits).toEqual(['rdap bank.example']);
});

test('queries WHOIS if RDAP does not answer, with the same result', async () => {
  await using internet = await registered({ created: '2012-03-04T05:06:07Z', only: 'whois' });
  const registration = await observe(internet, 'www.bank.example');
  expect(registration).toMatchObject({
    source: 'whois',
    createdAt: '2012-03-04T05:06:07.000Z',
    domain: 'bank.example',
  });
  expect(internet.visits).toEqual(['rdap bank.example', 'whois bank.example']);
});

test('does not query WHOIS if the registry reports that the domain does not exist', async () => {
  await using internet = await registered(null);
  await expect(observe(internet, 'www.bank.example')).rejects.toMatchObject({ code: 'registration_not_found' });
  expect(internet.visits).toEqual(['rdap bank.example']);
});

test('does not apply to IP addresses, local names and public suffixes', () => {
  for (const url of ['http://192.0.2.1/', 'http://[2001:db8::1]/', 'http://localhost/', 'http://com/']) {
    expect(registrationProbe.applies(targetOf(url))).toBe(false);
  }
  expect(registrationProbe.applies(targetOf('http://user.github.io/'))).toBe(true);
});

test('pauses a registry that limits requests, for all of its domains', async () => {
  await using internet = await startInternet({
    'bank.example': { registration: { created: '2012-03-04T05:06:07Z', isLimited: true } },
    'shop.example': {},
  });
  let nowMs = 0;
  const registryThrottle = createRegistryThrottle({ now: fixedClock.now, monotonicMs: () => nowMs });
  const look = (name: string) =>
    observe(internet, name, registryThrottle).then(
      ({ source }) => source,
      (error) => error.code,
    );
  expect(await look('bank.example')).toBe('registration_refused');
  expect(internet.visits).toEqual(['rdap bank.example', 'whois bank.example']);
  expect(await look('shop.example')).toBe('registration_refused');
  expect(internet.visits).toHaveLength(2);
  // The WHOIS server, which said nothing, rests for a minute, and the RDAP server for the two that it named.
  nowMs = 61_000;
  expect(await look('shop.example')).toBe('whois');
  nowMs = 121_000;
  expect(await look('shop.example')).toBe('rdap');
});

test('waiting in the local queue does not count towards the registry timeout', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `site${i}.example`);
  const registration = { created: '2012-03-04T05:06:07Z', thinksMs: 1000 };
  await using internet = await startInternet(Object.fromEntries(names.map((name) => [name, { registration }])));
  await using egress = internet.open();
  const context = {
    egressClient: egress.client(),
    clock: fixedClock,
    registries: createRegistryDirectory(loadRegistryServers(), {
      ...internet.registries,
      registry_timeout_seconds: 3,
    }),
    registryThrottle: createRegistryThrottle(fixedClock),
  };
  const look = (name: string) =>
    registrationProbe.observe(targetOf(internet.url(name)), context, new AbortController().signal);
  const sources = await Promise.all(names.map(async (name) => (await look(name)).source));
  expect(sources).toEqual(names.map(() => 'rdap'));
});

test('concurrent checks of one domain share one registry query, except after an abort', async () => {
  await using internet = await registered({ created: '2012-03-04T05:06:07Z', thinksMs: 100 });
  await using egress = internet.open();
  const context = {
    egressClient: egress.client(),
    clock: fixedClock,
    registries: directoryFor(internet),
    registryThrottle: createRegistryThrottle(fixedClock),
  };
  const first = new AbortController();
  const never = new AbortController();
  const look = (host: string, { signal }: AbortController) =>
    registrationProbe.observe(targetOf(`https://${host}/`), context, signal).then(
      ({ source }) => source,
      (error) => error.code,
    );
  const hosts = ['www.bank.example', 'login.bank.example', 'bank.example'];
  expect(await Promise.all(hosts.map((host) => look(host, never)))).toEqual(['rdap', 'rdap', 'rdap']);
  expect(internet.visits).toEqual(['rdap bank.example']);

  const cut = look('www.bank.example', first);
  const other = look('login.bank.example', never);
  first.abort();
  expect([await cut, await other]).toEqual(['aborted', 'rdap']);
});
