import { expect, test } from 'bun:test';
import { type DatabaseUrl, readDatabaseUrl, showDatabaseUrl } from '#src/checks/store/database-url.ts';

const READ: readonly (readonly [text: string, read: Partial<DatabaseUrl>, shown: string])[] = [
  [
    'postgres://node:p%40ss@db.example/lure',
    { user: 'node', password: 'p@ss', host: 'db.example', port: 5432, tls: 'verified', authorityFile: null },
    'postgres://node:***@db.example:5432/lure',
  ],
  [
    'postgresql://node@192.0.2.7:6543/lure?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    { password: null, host: '192.0.2.7', port: 6543, tls: 'verified', authorityFile: '/etc/ca.pem' },
    'postgres://node@192.0.2.7:6543/lure',
  ],
  [
    'postgres://node:pw@/lure?host=/run/postgresql',
    { host: '/run/postgresql', tls: 'plain', password: 'pw' },
    'postgres://node:***@/lure?host=/run/postgresql',
  ],
  [
    'postgres://node@/lure?host=/run/postgresql&port=6543',
    { host: '/run/postgresql', port: 6543 },
    'postgres://node@/lure?host=/run/postgresql&port=6543',
  ],
  ['postgres://node@127.0.0.1/lure', { host: '127.0.0.1', tls: 'plain' }, 'postgres://node@127.0.0.1:5432/lure'],
  ['postgres://node@[::1]/lure', { host: '::1', tls: 'plain' }, 'postgres://node@[::1]:5432/lure'],
  [
    'postgres://node@localhost/lure?sslmode=require',
    { tls: 'unverified' },
    'postgres://node@localhost:5432/lure?sslmode=require-unverified',
  ],
  [
    'postgres://node@db.example/lure?sslmode=require-unverified',
    { tls: 'unverified' },
    'postgres://node@db.example:5432/lure?sslmode=require-unverified',
  ],
];

test.each(READ)('%s is read, and shown without its password', (text, expected, shown) => {
  const url = readDatabaseUrl(text);
  if (typeof url === 'string') throw new Error(url);
  expect(url).toMatchObject(expected);
  expect(showDatabaseUrl(url)).toBe(shown);
});

test.each(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'REQUIRE'])(
  'sslmode=%s is refused for a remote host, because it does not verify the server',
  (mode) => {
    for (const host of ['db.example', '192.0.2.7', '[2001:db8::1]', '10.0.0.1', 'localhost.example']) {
      expect(readDatabaseUrl(`postgres://node:geheim@${host}/lure?sslmode=${mode}`)).toContain('require-unverified');
    }
  },
);

test.each([
  '',
  'lure',
  'mysql://node:geheim@db.example/lure',
  'postgres://db.example/lure',
  'postgres://node:geheim@db.example/',
  'postgres://node:geheim@db.example/lure?ssl=true',
  'postgres://node:geheim@db.example/lure?host=other.example',
  'postgres://node:geheim@db.example/lure#x',
  'postgres://node:geheim%zz@db.example/lure',
  'postgres://node:geheim@127.0.0.1/lure?sslmode=prefer',
])('%s is refused, and the reason does not contain the password', (text) => {
  const reason = readDatabaseUrl(text);
  expect(reason).toBeString();
  expect(reason).not.toContain('geheim');
});
