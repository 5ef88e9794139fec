import { expect, test } from 'bun:test';
import { SERVER_SETTINGS } from '#src/service/server/settings.ts';

type Key = keyof typeof SERVER_SETTINGS;

const read = (key: Key, text: string) => SERVER_SETTINGS[key].kind.read([text]);

test.each([
  '10.0.0.0/8=x200',
  '10.0.0.0/8=200x',
  '10.0.0.0/8=',
  '10.0.0.0/8',
  '10.0.0.0/8=1=2',
  '10.0.0.0/8=-1',
  '10.0.0.0/8=1.5',
  '10.0.0.0/8=1234567890',
  'x=200',
])('rate_limit_cidr refuses %s', (text) => expect(read('rate_limit_cidr', text)).toBeNull());

test('rate_limit_cidr reads a block and its limit of up to nine digits', () => {
  expect(read('rate_limit_cidr', '10.0.0.0/8=200')).toMatchObject([{ limit: 200 }]);
  expect(read('rate_limit_cidr', '10.0.0.0/8=0')).toMatchObject([{ limit: 0 }]);
  expect(read('rate_limit_cidr', '10.0.0.0/8=123456789')).toMatchObject([{ limit: 123_456_789 }]);
});

test.each(['lurecheck', '/lurecheck/', 'x/lurecheck', '/a//b', '/a b', '/a?b'])('base_path refuses %s', (text) =>
  expect(read('base_path', text)).toBeNull(),
);

test.each<[Key, readonly string[], readonly string[]]>([
  ['rate_limit', ['0', '1'], ['-1', '1.5', '']],
  ['rate_limit_network', ['0'], ['-1']],
  ['rate_limit_total', ['0'], ['-1']],
  ['rate_limit_keys', ['1'], ['0']],
  ['feedback_limit', ['0'], ['-1']],
  ['limiter_timeout_seconds', ['0.001', '0.1', '59.9'], ['0', '60', '-1']],
  ['trusted_proxy', ['unix', '10.0.0.0/8', '2001:db8::/32'], ['unixx', '10.0.0.1/8', 'proxy.example']],
  ['host', ['check.example', '192.0.2.7', '[::1]'], ['check.example:8080', 'https://check.example', 'a/b', 'a b', '']],
  ['base_path', ['', '/lure', '/a/b.c_d~e-f'], ['/']],
  ['contact', ['soc@corp.example', 'the help desk'], ['']],
])('%s accepts %j and refuses %j', (key, accepted, refused) => {
  for (const text of accepted) expect([text, read(key, text)]).not.toEqual([text, null]);
  for (const text of refused) expect([text, read(key, text) ?? []]).toEqual([text, []]);
});

test('a setting is shown as it can be written', () => {
  const shown = (key: 'rate_limit_cidr' | 'trusted_proxy' | 'auth_users', texts: string[]) => {
    const { kind } = SERVER_SETTINGS[key];
    const values = kind.read(texts);
    return values && kind.write(values as never);
  };
  expect(shown('rate_limit_cidr', ['10.0.0.0/8=200', '2001:db8::/32=0'])).toBe('10.0.0.0/8=200, 2001:db8::/32=0');
  expect(shown('trusted_proxy', ['unix', '10.0.0.0/8'])).toBe('unix, 10.0.0.0/8');
  expect(shown('auth_users', ['bob=lists+feedback', '*=history'])).toBe('bob=feedback+lists, *=history');
});

test('auth_header is a header that names a user, which no client or proxy sends by itself', () => {
  for (const name of ['Remote-User', 'X-Forwarded-Email', 'x-login', `x${'-user'.repeat(12)}`])
    expect([name, read('auth_header', name)]).toEqual([name, name]);
  for (const name of [
    ...['User-Agent', 'Sec-User', 'Proxy-User', 'Remote_User', 'X-Forwarded-For', '1-user', 'user:', ' user', ''],
    `x${'-user'.repeat(13)}`,
  ])
    expect([name, read('auth_header', name)]).toEqual([name, null]);
});

test('auth_users has a row per user, with known scopes and each of them once', () => {
  expect(read('auth_users', 'alice@corp.example=lists+feedback')).toEqual([
    { user: 'alice@corp.example', scopes: ['feedback', 'lists'] },
  ]);
  expect(read('auth_users', `${'a'.repeat(128)}=admin`)).not.toBeNull();
  for (const row of [
    ...['alice', 'alice=', 'alice=none', 'alice=lists+none', 'alice=lists+lists', 'alice=lists=feedback', '=lists'],
    ...['a,b=lists', '-a=lists', 'a b=lists', '**=lists', `${'a'.repeat(129)}=lists`],
  ])
    expect([row, read('auth_users', row)]).toEqual([row, null]);
});

test('the defaults protect a service without configuration', () => {
  const defaults = Object.fromEntries(Object.entries(SERVER_SETTINGS).map(([key, one]) => [key, one.default]));
  expect(defaults).toEqual({
    rate_limit: 20,
    rate_limit_cidr: [],
    rate_limit_network: null,
    rate_limit_total: 0,
    rate_limit_keys: 100_000,
    feedback_limit: 5,
    limiter: [],
    limiter_timeout_seconds: 0.1,
    trusted_proxy: [],
    host: [],
    auth_header: null,
    auth_users: [],
    base_path: '',
    contact: null,
    public_history: true,
    default_private: false,
  });
});
