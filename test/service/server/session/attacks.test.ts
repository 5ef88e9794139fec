import { expect, test } from 'bun:test';
import { makeKey } from '#src/admin/keys/api-key.ts';
import { HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { type Console, PROXY, startConsole } from './console-server.ts';

const NEW_KEY = '{"name":"new","scopes":["check"]}';
const JSON_TYPE = { 'content-type': 'application/json' };

/** Requests with the cookie of a session, each with the status that it must get. */
const BY_COOKIE: readonly (readonly [string, string, string, Record<string, string> | null, number])[] = [
  ['the page reads', 'GET', '/api/admin/keys', { 'sec-fetch-site': 'same-origin' }, 200],
  ['an address is typed', 'GET', '/api/admin/keys', { 'sec-fetch-site': 'none' }, 200],
  ['the page changes', 'POST', '/api/admin/keys', { 'sec-fetch-site': 'same-origin' }, 201],
  ['another site reads', 'GET', '/api/admin/keys', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another host of the site reads', 'GET', '/api/admin/keys', { 'sec-fetch-site': 'same-site' }, 403],
  ['a foreign origin reads', 'GET', '/api/admin/keys', { origin: 'https://evil.example' }, 403],
  ['another site reads the audit log', 'GET', '/api/admin/audit', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another site reads the session', 'GET', '/api/session', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another site changes', 'POST', '/api/admin/keys', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another host of the site changes', 'POST', '/api/admin/keys', { 'sec-fetch-site': 'same-site' }, 403],
  ['a typed address changes', 'POST', '/api/admin/keys', { 'sec-fetch-site': 'none' }, 403],
  ['a foreign origin changes', 'POST', '/api/admin/keys', { origin: 'https://evil.example' }, 403],
  ['an opaque origin changes', 'POST', '/api/admin/keys', { origin: 'null' }, 403],
  ['another port changes', 'POST', '/api/admin/keys', { origin: 'http://127.0.0.1:1' }, 403],
  ['a file changes', 'POST', '/api/admin/keys', { origin: 'file://' }, 403],
  ['nobody says where a change comes from', 'POST', '/api/admin/keys', null, 403],
  ['a form changes', 'POST', '/api/admin/keys', { 'content-type': 'text/plain', origin: 'https://evil.example' }, 403],
  ['another site revokes', 'DELETE', '/api/admin/keys/check', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another site alters', 'PATCH', '/api/admin/keys/check', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another site signs out', 'DELETE', '/api/session', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another site signs in anew', 'POST', '/api/session', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a form as JSON', 'POST', '/api/admin/keys', { 'content-type': 'text/plain' }, 415],
  ['a method override', 'POST', '/api/admin/keys/check', { 'x-http-method-override': 'DELETE' }, 405],
];

test.each(BY_COOKIE)('a request with the cookie: %s', async (_, method, path, headers, status) => {
  const console = startConsole();
  await using server = console.server;
  const { cookie } = await console.signIn();
  const isChange = method !== 'GET';
  const own = headers === null || 'origin' in headers || !isChange ? {} : console.own;
  const body = method === 'POST' && path !== '/api/session' ? NEW_KEY : undefined;
  const sent = { ...(body !== undefined && JSON_TYPE), ...own, ...headers, cookie };
  expect((await console.send(method, path, sent, body)).status).toBe(status);
  expect(server.log.join('')).not.toContain(cookie.split('=')[1] ?? '');
});

/** What ends a session, after which it must open nothing. */
const ENDS: Readonly<Record<string, (console: Console, cookie: string) => unknown>> = {
  'sign-out': async (console, cookie) => {
    const response = await console.send('DELETE', '/api/session', { ...console.own, cookie });
    expect([response.status, response.headers.get('set-cookie'), response.headers.get('clear-site-data')]).toEqual([
      204,
      'lurecheck_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
      '"cache"',
    ]);
  },
  'revocation of the key': (console) => console.keys.delete(console.secretOf('admin')),
  'another key of the same name': (console) => {
    console.keys.delete(console.secretOf('admin'));
    console.keys.set('lck_other', makeKey({ name: 'admin', scopes: ['admin'], limit: null, expires_at: null }, 0).key);
  },
  'other scopes of the key': (console) => {
    const secret = console.secretOf('admin');
    const key = console.keys.get(secret);
    if (key) console.keys.set(secret, { ...key, scopes: ['admin', 'lists'] });
  },
  '30 minutes without a request': (console) => {
    console.clock.nowMs += 30 * MINUTE_MS;
  },
  '12 hours of use': async (console, cookie) => {
    let renewed = cookie;
    const read = async () => {
      const { status, headers } = await console.send('GET', '/api/session', { cookie: renewed });
      renewed = headers.get('set-cookie')?.split(';', 1)[0] ?? renewed;
      return status;
    };
    for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
      expect(await read()).toBe(200);
      console.clock.nowMs += 20 * MINUTE_MS;
    }
    expect([console.clock.nowMs, await read()]).toEqual([12 * HOUR_MS, 401]);
  },
};

test.each(Object.entries(ENDS))('a session cannot be replayed after %s', async (_, end) => {
  const console = startConsole();
  await using _server = console.server;
  const { cookie } = await console.signIn();
  expect((await console.send('GET', '/api/session', { cookie })).status).toBe(200);
  await end(console, cookie);
  expect((await console.send('GET', '/api/session', { cookie })).status).toBe(401);
  expect((await console.send('GET', '/api/admin/keys', { cookie })).status).toBe(401);
});

/** Cookies that open nothing, made of one that does. */
const COOKIES: Readonly<Record<string, (cookie: string) => string>> = {
  'a chosen id': () => `lurecheck_session=${'A'.repeat(123)}`,
  'an empty id': () => 'lurecheck_session=',
  'an id cut short': (cookie) => cookie.slice(0, -1),
  'an id and more': (cookie) => `${cookie}A`,
  'the name of TLS': (cookie) => `__Host-${cookie}`,
  'another case': (cookie) => cookie.replace('lurecheck', 'Lurecheck'),
  'two cookies, the foreign one first': (cookie) => `lurecheck_session=${'A'.repeat(123)}; ${cookie}`,
  'two cookies, the foreign one last': (cookie) => `${cookie}; lurecheck_session=${'A'.repeat(123)}`,
  'a long header': (cookie) => `${'a=b; '.repeat(500)}x${cookie}`,
};

test.each(Object.entries(COOKIES))('%s gives no access', async (_, change) => {
  const console = startConsole();
  await using _server = console.server;
  const { cookie } = await console.signIn();
  expect((await console.send('GET', '/api/session', { cookie: change(cookie) })).status).toBe(401);
});

test('a session of one node opens nothing at another', async () => {
  const [one, other] = [startConsole(), startConsole()];
  await using _one = one.server;
  await using _other = other.server;
  const { cookie } = await one.signIn();
  expect((await one.send('GET', '/api/session', { cookie })).status).toBe(200);
  expect((await other.send('GET', '/api/session', { cookie })).status).toBe(401);
});

/** Origins of changes of a service that browsers know as `check.example`, and what they must get. */
const ORIGINS: readonly (readonly [string, string, Record<string, string>, number])[] = [
  ['https', 'https://check.example', {}, 201],
  ['https', 'https://check.example:8443', { 'sec-fetch-site': 'same-origin' }, 201],
  ['https', 'https://check.example:8443', {}, 403],
  ['https', 'https://check.example:8443', { 'sec-fetch-site': 'same-site' }, 403],
  ['https', 'http://check.example', {}, 403],
  ['https', 'http://check.example', { 'sec-fetch-site': 'same-origin' }, 403],
  ['https', 'https://a.check.example', {}, 403],
  ['https', 'https://example', {}, 403],
  ['https', 'https://check.example.evil.example', {}, 403],
  ['https', 'https://check.example@evil.example', {}, 403],
  ['https', 'https://check.example, https://evil.example', {}, 403],
  ['https', 'null', { 'sec-fetch-site': 'same-origin' }, 403],
  ['https', '', { 'sec-fetch-site': 'same-origin' }, 403],
  ['http', 'http://check.example', {}, 201],
  ['http', 'http://check.example:8081', {}, 403],
];

test.each(ORIGINS)('over %s a change from %p with %j gets %d', async (scheme, origin, more, status) => {
  const console = startConsole({ settings: { trusted_proxy: [PROXY], host: ['check.example', 'localhost'] } });
  await using _server = console.server;
  const sent = { host: 'check.example', 'x-forwarded-proto': scheme, 'x-forwarded-for': '192.0.2.1' };
  const local = { ...sent, 'x-forwarded-for': '127.0.0.1' };
  const signedIn = await console.signIn('admin', scheme === 'https' ? sent : { ...local, host: 'localhost' });
  const headers = { ...JSON_TYPE, ...sent, ...more, origin, cookie: signedIn.cookie };
  expect((await console.send('POST', '/api/admin/keys', headers, NEW_KEY)).status).toBe(status);
});

test('sign-ins with one key are limited, and those with others are not', async () => {
  const console = startConsole({ settings: { rate_limit: 3 } });
  await using _server = console.server;
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) statuses.push((await console.signIn('check')).status);
  expect(statuses).toEqual([204, 204, 204, 429, 429]);
  expect((await console.signIn('admin')).status).toBe(204);
  expect(console.audited).toHaveLength(4);
});

test('signing in creates a new id each time, never one that the client sent', async () => {
  const console = startConsole();
  await using _server = console.server;
  const fixed = `lurecheck_session=${'F'.repeat(123)}`;
  const ids = [
    await console.signIn('admin', { cookie: fixed, ...console.own }),
    await console.signIn('admin', { cookie: fixed, ...console.own }),
  ];
  expect(ids.map(({ status }) => status)).toEqual([204, 204]);
  expect(new Set([fixed, ...ids.map(({ cookie }) => cookie)]).size).toBe(3);
  expect((await console.send('GET', '/api/session', { cookie: fixed })).status).toBe(401);
});

test('the cookie is HttpOnly and SameSite, and under TLS bound to its host', async () => {
  const plain = startConsole();
  await using _plain = plain.server;
  expect((await plain.signIn()).setCookie).toMatch(
    /^lurecheck_session=[\w-]{123}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  const secure = startConsole({ settings: { trusted_proxy: [PROXY] } });
  await using _secure = secure.server;
  const { setCookie } = await secure.signIn('admin', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' });
  expect(setCookie).toMatch(
    /^__Host-lurecheck_session=[\w-]{123}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test('signing in over a network without TLS is refused', async () => {
  const console = startConsole({ settings: { trusted_proxy: [PROXY] } });
  await using _server = console.server;
  const remote = { 'x-forwarded-for': '192.0.2.1' };
  expect((await console.signIn('admin', remote)).status).toBe(403);
  expect((await console.signIn('admin', { ...remote, 'x-forwarded-proto': 'http' })).status).toBe(403);
  expect((await console.signIn('admin', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(204);
  // Without a trusted proxy, a header changes nothing.
  const direct = startConsole();
  await using _direct = direct.server;
  expect((await direct.signIn('admin', { 'x-forwarded-proto': 'https' })).setCookie).not.toContain('Secure');
});

test('no answer of the console is cached, framed or readable by another site', async () => {
  const console = startConsole();
  await using _server = console.server;
  const { cookie } = await console.signIn();
  for (const path of ['/', '/api/session', '/api/admin/keys', '/api/admin/audit', '/api/admin/none']) {
    const { headers } = await console.send('GET', path, { cookie });
    expect(headers.get('cache-control')).toBe(path === '/' ? 'no-cache' : 'no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.has('access-control-allow-origin')).toBe(false);
  }
});

test('another site cannot sign anybody in, also with a key; a program can', async () => {
  const console = startConsole();
  await using _server = console.server;
  const authorization = `Bearer ${console.secretOf('admin')}`;
  for (const [headers, status] of [
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ ...console.own, 'sec-fetch-site': 'same-site' }, 403],
    [console.own, 204],
    [{}, 204],
  ] as const)
    expect((await console.send('POST', '/api/session', { authorization, ...headers })).status).toBe(status);
});

test('wrong keys and wrong sessions are limited like checks, each apart, and a right key is not', async () => {
  const console = startConsole({ settings: { rate_limit: 3 } });
  await using _server = console.server;
  const guesses = async (headers: Record<string, string>) => {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await console.send('GET', '/api/admin/keys', headers)).status);
    return statuses;
  };
  const limited = [401, 401, 401, 429, 429];
  expect(await guesses({ cookie: `lurecheck_session=${'A'.repeat(123)}` })).toEqual(limited);
  expect(await guesses({ authorization: 'Bearer lck_wrong' })).toEqual(limited);
  // Over the limit, nothing else is said, whatever host or site the request names.
  for (const other of [{ host: 'evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect(await guesses({ authorization: 'Bearer lck_wrong', ...other })).toEqual([429, 429, 429, 429, 429]);
  expect(await guesses({ authorization: `Bearer ${console.secretOf('admin')}` })).toEqual([200, 200, 200, 200, 200]);
  // The public history does not ask who reads it.
  expect((await console.send('GET', '/api/history', { cookie: `lurecheck_session=${'A'.repeat(123)}` })).status).toBe(
    200,
  );
  const { cookie } = await console.signIn('lists');
  expect((await console.send('GET', '/api/history', { cookie })).status).toBe(200);
});

test('a request of another site is no use of the session, which ends without any', async () => {
  const console = startConsole();
  await using _server = console.server;
  const { cookie } = await console.signIn();
  for (let minutes = 0; minutes < 30; minutes += 10) {
    const status = (await console.send('GET', '/api/session', { cookie, 'sec-fetch-site': 'cross-site' })).status;
    expect(status).toBe(403);
    console.clock.nowMs += 10 * MINUTE_MS;
  }
  expect((await console.send('GET', '/api/session', { cookie })).status).toBe(401);
});

test('a token takes precedence over the cookie of the same request', async () => {
  const console = startConsole();
  await using _server = console.server;
  const { cookie } = await console.signIn();
  const wrong = { cookie, authorization: 'Bearer lck_wrong' };
  expect((await console.send('GET', '/api/admin/keys', wrong)).status).toBe(401);
  const weak = { cookie, authorization: `Bearer ${console.secretOf('check')}` };
  expect((await console.send('GET', '/api/admin/keys', weak)).status).toBe(403);
});

test('start and end of a session are in the audit log, without key and session id', async () => {
  const console = startConsole();
  await using server = console.server;
  const { cookie } = await console.signIn();
  await console.send('DELETE', '/api/session', { ...console.own, cookie });
  const by = '{"key":"admin","address":"127.0.0.1"}';
  expect(console.audited).toEqual([`${by} session.open admin`, `${by} session.close admin`]);
  const written = [...console.audited, ...server.log].join('\n');
  for (const secret of [cookie.split('=')[1] ?? '', console.secretOf('admin')]) expect(written).not.toContain(secret);
});

test('a session cannot be opened with a body, nor with another session', async () => {
  const console = startConsole();
  await using _server = console.server;
  const { cookie } = await console.signIn();
  expect((await console.send('POST', '/api/session', { ...console.own, cookie })).status).toBe(401);
  const key = { authorization: `Bearer ${console.secretOf('admin')}` };
  expect((await console.send('POST', '/api/session', { ...key, ...JSON_TYPE }, '{}')).status).toBe(400);
});
