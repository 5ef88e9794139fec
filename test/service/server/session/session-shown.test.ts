import { expect, test } from 'bun:test';
import { makeKey } from '#src/admin/keys/api-key.ts';
import { HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { PROXY, startConsole } from './console-server.ts';

const EXPIRES = '2099-01-01T00:00:00.000Z';

test('a session is shown with its scopes, its end and the time without a request that ends it', async () => {
  const console = startConsole();
  await using _server = console.server;
  const { cookie } = await console.signIn('lists');
  console.clock.nowMs += 20 * MINUTE_MS;
  const before = Date.now();
  const response = await console.send('GET', '/api/session', { cookie });
  const { expires_at: ends, ...session } = JSON.parse(await response.text());
  expect([response.status, session]).toEqual([
    200,
    { key: 'lists', user: null, scopes: ['lists'], idle_seconds: 1800 },
  ]);
  const leftMs = 12 * HOUR_MS - 20 * MINUTE_MS;
  expect(Date.parse(ends)).toBeWithin(before + leftMs, Date.now() + leftMs + 1);
});

test('a key that is sent itself is shown with its own expiry, also beside a session', async () => {
  const console = startConsole();
  await using _server = console.server;
  const { secret, key } = makeKey({ name: 'desk', scopes: ['feed', 'stats'], limit: null, expires_at: EXPIRES }, 0);
  console.keys.set(secret, key);
  const { cookie } = await console.signIn();
  for (const more of [{}, { cookie }]) {
    const response = await console.send('GET', '/api/session', { authorization: `Bearer ${secret}`, ...more });
    expect(JSON.parse(await response.text())).toEqual({
      ...{ key: 'desk', user: null, scopes: ['feed', 'stats'], expires_at: EXPIRES, idle_seconds: null },
    });
  }
});

test('the user of a single sign-on is shown without a key and without an end', async () => {
  const console = startConsole({
    settings: {
      ...{ auth_header: 'Remote-User', trusted_proxy: [PROXY] },
      auth_users: [{ user: 'alice', scopes: ['lists'] }],
    },
  });
  await using _server = console.server;
  const headers = { 'remote-user': 'alice', 'x-forwarded-for': '192.0.2.1' };
  const response = await console.send('GET', '/api/session', headers);
  expect(JSON.parse(await response.text())).toEqual({
    ...{ key: null, user: 'alice', scopes: ['lists'], expires_at: null, idle_seconds: null },
  });
});

test('a program can end its session, and ending none is no error and leaves no trace', async () => {
  const console = startConsole();
  await using _server = console.server;
  const { cookie } = await console.signIn();
  const end = async () => (await console.send('DELETE', '/api/session', { cookie })).status;
  expect([await end(), await end(), (await console.send('DELETE', '/api/session')).status]).toEqual([204, 204, 204]);
  expect(console.audited).toEqual([
    '{"key":"admin","address":"127.0.0.1"} session.open admin',
    '{"key":"admin","address":"127.0.0.1"} session.close admin',
  ]);
});
