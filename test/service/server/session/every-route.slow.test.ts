import { expect, test } from 'bun:test';
import { makeKey, SCOPES } from '#src/admin/keys/api-key.ts';
import { apiDocument } from '#src/app/parts/api-document.ts';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import { rawExchange, requestBytes } from '#test/support/raw-exchange.ts';
import { type Console, startConsole } from './console-server.ts';

type Sent = Readonly<Record<string, string>>;

/** An operation of the console, with the scopes that its description names. */
interface Operation {
  readonly method: string;
  readonly path: string;
  /** All of them, where the description names none. */
  readonly scopes: readonly string[];
}

const NAMED = /[Ss]cope:? ((?:`[a-z.]+`(?:, | or )?)+)/;

/** The operations that need a key, out of the document; ending a session needs none. */
async function operations(): Promise<readonly Operation[]> {
  const { paths } = await apiDocument('');
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { description = '' } = operation as { readonly description?: string };
      if (!/^\/api\/(?:admin\/|session$|history\/private$)/.test(path) || `${method} ${path}` === 'delete /api/session')
        return [];
      const named = NAMED.exec(description)?.[1]?.match(/[a-z.]+(?=`)/g);
      return [{ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'missing'), scopes: named ?? SCOPES }];
    }),
  );
}

/** A key that is added to the others, and its secret. */
function addKey(console: Console, scopes: (typeof SCOPES)[number][]) {
  const { secret, key } = makeKey({ name: `key-${console.keys.size}`, scopes, limit: null, expires_at: null }, 0);
  console.keys.set(secret, key);
  return { secret, key };
}

async function cookieOf(console: Console, secret: string): Promise<string> {
  const response = await console.send('POST', '/api/session', { authorization: `Bearer ${secret}` });
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

/** What opens nothing, and the status that it must get. */
async function wrongCredentials(console: Console): Promise<readonly (readonly [string, Sent, number])[]> {
  const { own, clock } = console;
  const expired = (await console.signIn()).cookie;
  clock.nowMs += 31 * MINUTE_MS;
  const [revoked, reduced] = [addKey(console, ['admin']), addKey(console, ['admin'])];
  const [ofRevoked, ofReduced] = [await cookieOf(console, revoked.secret), await cookieOf(console, reduced.secret)];
  console.keys.delete(revoked.secret);
  console.keys.set(reduced.secret, { ...reduced.key, scopes: ['check'] });
  const [{ cookie }, closed] = [await console.signIn(), await console.signIn()];
  await console.send('DELETE', '/api/session', { ...own, cookie: closed.cookie });
  const bearer = { authorization: `Bearer ${console.secretOf('admin')}` };
  return [
    ['nothing', {}, 401],
    ['the page without a session', own, 401],
    ['an unknown key', { authorization: 'Bearer lck_unknown' }, 401],
    ['a revoked key', { authorization: `Bearer ${revoked.secret}` }, 401],
    ['a reduced key', { authorization: `Bearer ${reduced.secret}` }, 403],
    ['a key as a password', { authorization: `Basic ${btoa(`:${console.secretOf('admin')}`)}` }, 401],
    ['a key as a cookie', { ...own, cookie: `lurecheck_session=${console.secretOf('admin')}` }, 401],
    ['a session as a key', { authorization: `Bearer ${cookie.split('=')[1]}` }, 401],
    ['an unknown session', { ...own, cookie: `lurecheck_session=${'A'.repeat(123)}` }, 401],
    ['an expired session', { ...own, cookie: expired }, 401],
    ['a session after signing out', { ...own, cookie: closed.cookie }, 401],
    ['the session of a revoked key', { ...own, cookie: ofRevoked }, 401],
    ['the session of a reduced key', { ...own, cookie: ofReduced }, 401],
    ['a session that another site uses', { ...own, cookie, 'sec-fetch-site': 'cross-site' }, 403],
    ['a session beside a wrong key', { ...own, cookie, authorization: 'Bearer lck_unknown' }, 401],
    ['a user of no proxy', { ...own, 'remote-user': 'alice', 'x-forwarded-user': 'alice' }, 401],
    ['a key for another host', { ...bearer, host: 'evil.example' }, 421],
  ];
}

/** Bodies and headers each of which is refused, once a key was shown. */
const FAULTS: readonly (readonly [Sent, string | undefined])[] = [
  [{ 'content-type': 'application/json' }, '{'],
  [{ 'content-type': 'text/plain', 'if-match': '"none"' }, 'a'.repeat(33 * 1024)],
];

test('every operation asks for a key, and for its scope, before it says anything else', async () => {
  const console = startConsole();
  await using server = console.server;
  const all = await operations();
  const routes = server.routes.filter((route) => /^\w+ \/api\/(?:admin\/|session$|history\/private$)/.test(route));
  expect(all.length).toBe(routes.length - 1);
  const wrong = await wrongCredentials(console);
  const scoped = await Promise.all(
    SCOPES.map(async (scope) => {
      const { cookie } = await console.signIn(scope);
      return { scope, ways: [{ authorization: `Bearer ${console.secretOf(scope)}` }, { ...console.own, cookie }] };
    }),
  );
  for (const { method, path, scopes } of all) {
    const canSend = method !== 'GET';
    const send = (headers: Sent, [more, body]: (typeof FAULTS)[number]) =>
      console.send(method, `${path}?zz=1`, canSend ? { ...more, ...headers } : headers, canSend ? body : undefined);
    for (const [what, headers, status] of wrong)
      for (const fault of canSend ? FAULTS : FAULTS.slice(1)) {
        // Of any scope is enough for these; then the fault is refused.
        const due = what === 'a reduced key' && scopes.includes('check') ? 400 : status;
        expect([method, path, what, (await send(headers, fault)).status]).toEqual([method, path, what, due]);
      }
    for (const { scope, ways } of scoped) {
      const isOpen = scope === 'admin' || scopes.includes(scope);
      // A session is exchanged for a key alone.
      for (const headers of `${method} ${path}` === 'POST /api/session' ? ways.slice(0, 1) : ways) {
        const { status } = await send(headers, [{ 'content-type': 'application/json' }, '{']);
        expect([method, path, scope, status === 401 || status === 403]).toEqual([method, path, scope, !isOpen]);
      }
    }
  }
  expect(console.audited.filter((line) => !line.includes(' session.'))).toEqual([]);
});

test('bodies too large are refused after the key, and after them the rest', async () => {
  const console = startConsole();
  await using _server = console.server;
  const bearer = { authorization: `Bearer ${console.secretOf('admin')}`, 'content-type': 'application/json' };
  const body = `{"a":"${'a'.repeat(1100 * 1024)}"}`;
  const chunked = () => new Blob([body]).stream();
  for (const { method, path } of (await operations()).filter((one) => one.method !== 'GET')) {
    const statusOf = async (headers: Sent, sent: string | ReadableStream) =>
      (await fetch(`${console.server.url}${path}`, { method, headers, body: sent })).status;
    expect([method, path, await statusOf({}, body)]).toEqual([method, path, 401]);
    expect([method, path, await statusOf({}, chunked())]).toEqual([method, path, 401]);
    const other = await statusOf(bearer, chunked());
    expect([method, path, other >= 400 && other < 600 && other !== 401]).toEqual([method, path, true]);
  }
});

/** Addresses that mean the list of keys to a program that reads them otherwise than the router. */
const TRICKS = [
  ...['/api/admin//keys', '//api/admin/keys', '/api//admin/keys', '/api/admin/keys/', '/api/admin/keys//'],
  ...['/API/admin/keys', '/api/Admin/Keys', '/api/admin/%6beys', '/api/%61dmin/keys', '/api/admin%2fkeys'],
  ...[
    '/api/x/../admin/keys',
    '/api/x/%2e%2e/admin/keys',
    '/api/admin/./keys',
    '/api/admin/%2e/keys',
    '/api/admin/keys;a',
  ],
  ...[
    '/api/admin/keys%00',
    '/api/admin/keys%20',
    '/api/admin\\keys',
    '/api/admin/keys#a',
    '/api/admin/keys?',
    '/?/api/admin/keys',
  ],
  ...['/lure/api/admin/keys', '/lure//api/admin/keys', '/lure/../api/admin/keys', '/lure/lure/api/admin/keys'],
];

test('no way of writing an address, and no method, goes past the key', async () => {
  const console = startConsole({ settings: { base_path: '/lure' } });
  await using server = console.server;
  const keys = JSON.stringify([...console.keys.values()].map(({ name }) => name));
  expect(keys).toContain('history.private');
  for (const address of TRICKS) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PATCH']) {
      const head = requestBytes(
        server.port,
        method,
        address,
        { cookie: `lurecheck_session=${'A'.repeat(123)}` },
        undefined,
      );
      const response = await rawExchange(server.port, head);
      const isShown = response.body.includes('history.private');
      expect([method, address, isShown]).toEqual([method, address, false]);
      expect([method, address, response.headers.get('set-cookie') ?? null]).toEqual([method, address, null]);
    }
  }
  const { cookie } = await console.signIn();
  for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override'])
    for (const [method, path] of [
      ['GET', '/api/admin/keys?_method=DELETE'],
      ['HEAD', '/api/admin/keys'],
      ['OPTIONS', '/api/admin/keys/check'],
    ] as const)
      await console.send(method, path, {
        ...console.own,
        cookie,
        [header]: 'DELETE',
        'x-original-url': '/api/admin/keys/check',
      });
  expect(console.audited.filter((line) => !line.includes(' session.'))).toEqual([]);
});

/** Sends the head of a request and a part of its body, which never ends. Returns the status of the answer. */
async function statusOfEndless(console: Console, [method, path]: readonly [string, string], headers: Sent) {
  const { port } = console.server;
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const head = requestBytes(port, method, path, { 'Transfer-Encoding': 'chunked', ...headers }, undefined);
  return (await rawExchange(port, Buffer.concat([head, Buffer.from(chunk.repeat(80))]))).status;
}

test('a body in chunks is refused at the bound of its route, and waits in memory nowhere', async () => {
  const console = startConsole({ misp: true });
  await using server = console.server;
  const routes = new Set(server.routes.filter((route) => / \/api\/|^(?:POST|PUT|PATCH|DELETE) /.test(route)));
  const json = { 'Content-Type': 'application/json' };
  const admin = { ...json, Authorization: `Bearer ${console.secretOf('admin')}` };
  for (const route of routes) {
    const [method = '', path = ''] = route.replace(/:\w+|\*/g, 'missing').split(' ');
    const status = await statusOfEndless(console, [method, path], admin);
    expect([route, status]).toEqual([route, expect.any(Number)]);
    if (method === 'POST' && !path.startsWith('/api/admin/') && path !== '/query') {
      const due = path === '/share' ? 415 : path === '/api/session' ? 400 : 413;
      expect([route, status]).toEqual([route, due]);
    }
  }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect(await statusOfEndless(console, ['POST', '/share'], form)).toBe(303);
});
