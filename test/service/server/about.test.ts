import { expect, test } from 'bun:test';
import { makeKey } from '#src/admin/keys/api-key.ts';
import type { About } from '#src/checks/record/about.ts';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { ABOUT, startServer } from './running-server.ts';

const aboutAt = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/api/about`, { headers });
  return { status: response.status, about: (await response.json()) as About };
};

const own = { name: 'mail', scopes: ['check' as const], limit: 600, expires_at: null };

test('returns the description of the service, its rate limit and its contact', async () => {
  await using server = startServer({ settings: { rate_limit: 20, contact: 'soc@company.example' } });
  const { status, about } = await aboutAt(server.url);
  expect(status).toBe(200);
  expect(about).toEqual({ ...ABOUT, checks_per_minute: 20, contact: 'soc@company.example', needs_first_key: false });
});

test('returns the rate limit of the client, and does not count towards it', async () => {
  const block = parseCidr('127.0.0.0/8');
  if (typeof block === 'string') throw new TypeError(block);
  const { secret, key } = makeKey(own, 0);
  await using server = startServer({
    settings: { rate_limit: 20, rate_limit_cidr: [{ cidr: block, limit: 2 }] },
    keys: { find: (shown) => (shown === secret ? key : null) },
  });
  const limitFor = async (headers: Record<string, string>) =>
    (await aboutAt(server.url, headers)).about.checks_per_minute;
  for (let time = 0; time < 5; time++) expect(await limitFor({})).toBe(2);
  expect(await limitFor({ authorization: `Bearer ${secret}` })).toBe(600);
  expect(await limitFor({ authorization: 'Bearer lck_unknown' })).toBe(2);
  expect((await server.check({ url: 'https://example.com/' })).status).toBe(200);
});

test('returns null without a rate limit, and refuses an unknown host name', async () => {
  await using server = startServer();
  expect((await aboutAt(server.url)).about.checks_per_minute).toBeNull();
  expect((await aboutAt(server.url, { host: 'evil.example' })).status).toBe(421);
});

test('reports a missing first key only to clients on this host', async () => {
  const proxy = parseCidr('127.0.0.0/8');
  if (typeof proxy === 'string') throw new TypeError(proxy);
  await using server = startServer({ settings: { trusted_proxy: [proxy] }, hasNoKeys: () => true });
  const needsKey = async (headers: Record<string, string>) =>
    (await aboutAt(server.url, headers)).about.needs_first_key;
  expect(await needsKey({})).toBe(true);
  expect(await needsKey({ 'x-forwarded-for': '198.51.100.7' })).toBe(false);
  await using keyed = startServer();
  expect((await aboutAt(keyed.url)).about.needs_first_key).toBe(false);
});

test.each([
  { host: 'box' },
  { host: '192.0.2.7' },
  { host: 'box.corp.example:8080' },
  { 'x-forwarded-for': '127.0.0.1' },
  { forwarded: 'for=127.0.0.1' },
  { via: '1.1 proxy' },
  { 'x-real-ip': '127.0.0.1' },
])('a proxy on this host that nobody trusts is not taken for a client on it: %j', async (headers) => {
  await using server = startServer({ hasNoKeys: () => true });
  expect((await aboutAt(server.url, {})).about.needs_first_key).toBe(true);
  expect((await aboutAt(server.url, { host: `localhost:${server.port}` })).about.needs_first_key).toBe(true);
  expect((await aboutAt(server.url, headers)).about.needs_first_key).toBe(false);
});
