import { expect, test } from 'bun:test';
import { rawExchange } from '#test/support/raw-exchange.ts';
import { startConsole } from './console-server.ts';

const LOOPBACK = { network: { family: 4 as const, value: 0x7f000000n }, bits: 8 };
const ELSEWHERE = { network: { family: 4 as const, value: 0x0a000000n }, bits: 8 };

const SIGN_ON = {
  auth_header: 'Remote-User',
  auth_users: [
    { user: 'alice@corp.example', scopes: ['admin'] },
    { user: 'bob', scopes: ['lists', 'feedback'] },
  ],
  trusted_proxy: [LOOPBACK],
} as const;

const ANYBODY = { ...SIGN_ON, auth_users: [...SIGN_ON.auth_users, { user: '*', scopes: ['history'] }] } as const;

type Console = ReturnType<typeof startConsole>;

async function raw(console: Console, lines: readonly string[], first = 'GET /api/admin/keys HTTP/1.1') {
  const head = [first, `Host: 127.0.0.1:${console.server.port}`, ...lines].join('\r\n');
  return (await rawExchange(console.server.port, Buffer.from(`${head}\r\n\r\n`, 'latin1'))).status;
}

/** Headers as the trusted proxy sends them, and the status of the answer. */
const BY_PROXY: readonly (readonly [string, readonly string[], number])[] = [
  ['one user', ['Remote-User: alice@corp.example'], 200],
  ['any case of the header', ['REMOTE-USER: alice@corp.example'], 200],
  ['a user without the scope', ['Remote-User: bob'], 403],
  ['a user who is in no row', ['Remote-User: eve'], 403],
  ['a user in another case', ['Remote-User: Alice@corp.example'], 403],
  ['the word for all users', ['Remote-User: *'], 401],
  ['an empty header', ['Remote-User:'], 401],
  ['no header', [], 401],
  ['two headers', ['Remote-User: bob', 'Remote-User: alice@corp.example'], 401],
  ['the same header twice', ['Remote-User: alice@corp.example', 'remote-user: alice@corp.example'], 401],
  ['an empty header and another', ['Remote-User:', 'Remote-User: alice@corp.example'], 401],
  ['a list', ['Remote-User: alice@corp.example, bob'], 401],
  ['a space in the name', ['Remote-User: alice@corp.example admin'], 401],
  ['a name beyond ASCII', ['Remote-User: \xe4lice'], 401],
  ['a name of 129 characters', [`Remote-User: ${'a'.repeat(129)}`], 401],
  ['an underscore instead of the hyphen', ['Remote_User: alice@corp.example'], 401],
  ['an underscore beside the hyphen', ['Remote_User: alice@corp.example', 'Remote-User: bob'], 403],
  ['a space before the colon', ['Remote-User : alice@corp.example'], 400],
  ['a folded line', ['Remote-User: bob', ' alice@corp.example'], 400],
  ['a line that ends early', ['X-A: b\nRemote-User: alice@corp.example'], 400],
  ['a header for one hop only', ['Connection: close, Remote-User', 'Remote-User: alice@corp.example'], 401],
  ['a header for one hop, named twice', ['Connection: close', 'Connection: remote-user', 'Remote-User: bob'], 401],
  [
    'a trailer',
    ['Transfer-Encoding: chunked', 'Trailer: Remote-User', '', '0', 'Remote-User: alice@corp.example'],
    400,
  ],
  ['a wrong key beside it', ['Remote-User: alice@corp.example', 'Authorization: Bearer lck_wrong'], 401],
  ['a password for the proxy beside it', ['Remote-User: alice@corp.example', 'Authorization: Basic YTpi'], 200],
  [
    'a wrong session beside it',
    ['Remote-User: alice@corp.example', `Cookie: lurecheck_session=${'A'.repeat(123)}`],
    200,
  ],
  ['another site', ['Remote-User: alice@corp.example', 'Sec-Fetch-Site: cross-site'], 403],
  ['another host of the site', ['Remote-User: alice@corp.example', 'Sec-Fetch-Site: same-site'], 403],
  ['a foreign origin', ['Remote-User: alice@corp.example', 'Origin: https://evil.example'], 403],
];

test('a trusted proxy signs a user in, with exactly one name that is one', async () => {
  const console = startConsole({ settings: SIGN_ON });
  await using _server = console.server;
  for (const [what, lines, status] of BY_PROXY) expect([what, await raw(console, lines)]).toEqual([what, status]);
  const old = 'GET /api/admin/keys HTTP/1.0';
  expect(await raw(console, ['Remote-User: alice@corp.example'], old)).toBe(200);
  expect(await raw(console, ['Remote-User: bob', 'Remote-User: alice@corp.example'], old)).toBe(401);
});

test('the header of anybody else means nothing, and is no error', async () => {
  for (const settings of [{ ...SIGN_ON, trusted_proxy: [ELSEWHERE] }, { trusted_proxy: [LOOPBACK] }]) {
    const console = startConsole({ settings });
    await using _server = console.server;
    const header = { 'remote-user': 'alice@corp.example' };
    expect((await console.send('GET', '/api/admin/keys', header)).status).toBe(401);
    expect((await console.send('GET', '/api/admin/keys', { ...header, 'x-forwarded-for': '10.0.0.1' })).status).toBe(
      401,
    );
    const { cookie } = await console.signIn('admin');
    expect((await console.send('GET', '/api/admin/keys', { 'remote-user': 'a, b', cookie })).status).toBe(200);
    expect((await console.server.check({ url: 'https://example.com/' }, header)).status).toBe(200);
  }
});

test('changes by a user must come from the page, and the audit log names user and address', async () => {
  const console = startConsole({ settings: SIGN_ON });
  await using _server = console.server;
  const alice = { 'remote-user': 'alice@corp.example', 'x-forwarded-for': '192.0.2.7' };
  const change = (headers: Record<string, string>) =>
    console.send(
      'POST',
      '/api/admin/keys',
      { 'content-type': 'application/json', ...headers },
      '{"name":"new","scopes":["check"]}',
    );
  expect((await change(alice)).status).toBe(403);
  expect((await change({ ...alice, origin: 'https://evil.example' })).status).toBe(403);
  expect((await change({ ...alice, ...console.own, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await change({ ...alice, ...console.own, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  const bearer = { authorization: `Bearer ${console.secretOf('admin')}` };
  // A key is attached by a program, not by a proxy.
  expect((await change({ ...alice, ...bearer })).status).toBe(201);
  expect(console.actors).toEqual([
    { user: 'alice@corp.example', address: '192.0.2.7' },
    { key: 'admin', user: 'alice@corp.example', address: '192.0.2.7' },
  ]);
});

test('a user has the scopes of the own row, else those of all others, and no session', async () => {
  const console = startConsole({ settings: ANYBODY });
  await using _server = console.server;
  const shown = async (headers: Record<string, string>) => (await console.send('GET', '/api/session', headers)).json();
  const ends = { expires_at: null, idle_seconds: null };
  expect(await shown({ 'remote-user': 'bob' })).toEqual({
    ...{ key: null, user: 'bob', scopes: ['lists', 'feedback'] },
    ...ends,
  });
  expect(await shown({ 'remote-user': 'eve' })).toEqual({ key: null, user: 'eve', scopes: ['history'], ...ends });
  const { cookie } = await console.signIn('admin');
  // The user decides, not the session that another user of the browser may have left.
  expect(await shown({ 'remote-user': 'bob', cookie })).toMatchObject({ key: null, user: 'bob' });
  const bearer = { authorization: `Bearer ${console.secretOf('check')}` };
  expect(await shown({ 'remote-user': 'bob', ...bearer })).toMatchObject({ key: 'check', user: 'bob' });
  expect((await console.send('POST', '/api/session', { 'remote-user': 'bob', ...console.own })).status).toBe(401);
});

test('a user who is in no row signs in with a key', async () => {
  const console = startConsole({ settings: SIGN_ON });
  await using _server = console.server;
  const eve = { 'remote-user': 'eve' };
  expect((await console.send('GET', '/api/history/private', eve)).status).toBe(403);
  expect((await console.send('GET', '/api/history', eve)).status).toBe(200);
  const { cookie } = await console.signIn('admin', eve);
  const session = await (await console.send('GET', '/api/session', { ...eve, cookie })).json();
  expect(session).toMatchObject({ key: 'admin', user: 'eve', scopes: ['admin'] });
});

test('a user who loses the row loses the scopes at once', async () => {
  const users: { user: string; scopes: ['admin'] }[] = [{ user: 'alice', scopes: ['admin'] }];
  const console = startConsole({ settings: { ...SIGN_ON, auth_users: users } });
  await using _server = console.server;
  const alice = { 'remote-user': 'alice' };
  expect((await console.send('GET', '/api/admin/keys', alice)).status).toBe(200);
  users.pop();
  expect((await console.send('GET', '/api/admin/keys', alice)).status).toBe(403);
});
