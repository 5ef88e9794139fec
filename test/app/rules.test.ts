import { describe, expect, test } from 'bun:test';
import { readConfig, SETTINGS } from '#src/app/config.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import { problemsOfEngine } from './engine-problems.ts';

function problemsOf(flags: Readonly<Record<string, readonly string[]>>): readonly string[] {
  try {
    readConfig({ flags, environment: {}, file: null });
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

const LIMITER = { limiter: ['redis://127.0.0.1'] };
const KEY = { 'client-key-file': ['key'] };

test.each([
  [{ ...LIMITER, ...KEY, 'reuse-port': ['true'] }, []],
  [KEY, []],
  [LIMITER, ['limiter is set, but client_key_file is not: all nodes must use the same key']],
  [{ 'reuse-port': ['true'] }, ['reuse_port is set, but limiter is not: each process would have its own limit']],
])('%j: reuse_port requires limiter, and limiter requires client_key_file', (flags, problems) => {
  expect(problemsOf(flags)).toEqual(problems);
});

const PROXY = { 'trusted-proxy': ['10.0.0.0/8'] };
const HEADER = { 'auth-header': ['Remote-User'] };
const USERS = { 'auth-users': ['alice=admin'] };

test.each([
  [{ ...HEADER, ...USERS, ...PROXY }, []],
  [{ ...HEADER, ...USERS, 'trusted-proxy': ['unix'] }, []],
  [{ ...HEADER, ...USERS }, ['auth_header is set, but trusted_proxy is not: only a trusted proxy may name a user']],
  [
    { ...HEADER, ...USERS, 'trusted-proxy': ['10.0.0.0/8', '::/0'] },
    ['auth_header is set, but trusted_proxy contains all addresses: every client could name itself any user'],
  ],
  [{ ...HEADER, ...PROXY }, ['auth_header is set, but auth_users is not: no user would have a scope']],
  [{ ...USERS, ...PROXY }, ['auth_users is set, but auth_header is not']],
  [
    { ...HEADER, ...PROXY, 'auth-users': ['bob=lists', 'bob=feedback'] },
    ['auth_users has two rows for "bob"; expected one with all scopes'],
  ],
])('%j: only a trusted proxy names users, and each user has one row', (flags, problems) => {
  expect(problemsOf(flags)).toEqual(problems);
});

test.each([
  [['a=/srv/a', 'b=/srv/a'], []],
  [
    ['a=/srv/a', 'b=/srv/b', 'a=hosts:https://a.example/'],
    ['list_sources has two sources for the list a; give each a name of its own'],
  ],
])('%j: each list has one source', (sources, problems) => {
  expect(problemsOf({ 'list-sources': sources })).toEqual(problems);
});

describe('listeners', () => {
  const flagOf = (key: string) => key.replaceAll('_', '-');
  const keys = Object.keys(SETTINGS).filter((key) => /(?:^|_)listen$/.test(key));
  const pairs = keys.flatMap((key, at) => keys.slice(at + 1).map((other) => [key, other] as const));
  const TLS = { 'tls-certificate': ['own.pem'], 'tls-key': ['own.key'] };

  test.each(pairs)('%s and %s cannot have one address', (key, other) => {
    const at = (...addresses: string[]) =>
      problemsOf({ ...TLS, [flagOf(key)]: [addresses[0] ?? ''], [flagOf(other)]: [addresses[1] ?? ''] });
    expect(at('[::1]:5300', '[::1]:5300')).toEqual([
      `${key} and ${other} both have the address [::1]:5300; give each an address of its own`,
    ]);
    expect(at('127.0.0.1:0', '127.0.0.1:0')).toEqual([]);
    expect(at('127.0.0.1:5300', '127.0.0.1:5301')).toEqual([]);
    expect(at('127.0.0.1:5300', '127.0.0.2:5300')).toEqual([]);
  });

  test.each(keys.filter((key) => key !== 'admin_listen'))('%s cannot have an address twice', (key) => {
    const at = (...addresses: string[]) => problemsOf({ ...TLS, [flagOf(key)]: addresses });
    expect(at(':5300', '127.0.0.1:0', '*:5300')).toEqual([`${key} has the address *:5300 twice`]);
    expect(at('127.0.0.1:0', '127.0.0.1:0')).toEqual([]);
  });

  test('are compared with the default address and by the path of a socket', () => {
    expect(problemsOf({ 'milter-listen': ['127.0.0.1:8080'] })).toEqual([
      'listen and milter_listen both have the address 127.0.0.1:8080; give each an address of its own',
    ]);
    expect(problemsOf({ listen: ['unix:/run/x.sock'], 'icap-listen': ['unix:/run/x.sock'] })).toEqual([
      'listen and icap_listen both have the address unix:/run/x.sock; give each an address of its own',
    ]);
  });
});

test.each(['Authorization', 'Cookie', 'User-Agent', 'X-Forwarded-For', 'Sec-User', 'Remote_User', 'Remote-User:', ''])(
  'refuses the header %p for users',
  (name) => {
    expect(problemsOf({ ...USERS, ...PROXY, 'auth-header': [name] })).toEqual([
      expect.stringContaining(`--auth-header is "${name}", but must be the name of a header`),
    ]);
  },
);

test.each([
  'alice',
  'alice=',
  '=admin',
  'alice=root',
  'alice=lists+lists',
  'alice=lists+',
  'a,b=admin',
  'a b=admin',
  '**=admin',
])('refuses the row %p of a user', (row) => {
  expect(problemsOf({ ...HEADER, ...PROXY, 'auth-users': [row] })).toEqual([
    expect.stringContaining(`--auth-users is "${row}", but must be a user, or * for all others`),
  ]);
});

describe('the warning threshold', () => {
  test('must be below the block threshold, and is reported together with all other problems', () => {
    expect(problemsOf({ 'warn-threshold': ['0.9'], 'block-threshold': ['0.5'], 'rate-limit': ['some'] })).toEqual([
      '--rate-limit is "some", but must be a whole number from 0',
      'warn_threshold is 0.9, but must be below block_threshold, which is 0.5',
    ]);
    expect(problemsOf({ 'warn-threshold': ['0.5'], 'block-threshold': ['0.5'] })).toEqual([
      'warn_threshold is 0.5, but must be below block_threshold, which is 0.5',
    ]);
    expect(problemsOf({ 'warn-threshold': ['0.4'], 'block-threshold': ['0.5'] })).toEqual([]);
  });

  test('is not compared with an invalid block threshold', () => {
    expect(problemsOf({ 'warn-threshold': ['0.9'], 'block-threshold': ['low'] })).toEqual([
      '--block-threshold is "low", but must be a number between 0 and 1',
    ]);
  });

  test('is compared with the threshold of the model if only one is set, and reported with all other problems', async () => {
    expect(await problemsOfEngine({ warn_threshold: 0.99, block_list: ['/none'] })).toEqual([
      'warn_threshold is 0.99, but must be below block_threshold, which is 0.87 by the model',
      'block_list is "/none", which does not exist',
    ]);
    expect(await problemsOfEngine({ block_threshold: 0.01 })).toEqual([
      'warn_threshold is 0.488 by the model, but must be below block_threshold, which is 0.01',
    ]);
    expect(await problemsOfEngine({ warn_threshold: 0.7 })).toEqual([]);
  });
});
