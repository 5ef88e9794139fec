import { describe, expect, test } from 'bun:test';
import { readConfig } from '#src/app/config.ts';
import { formatListenAddress, listenAddress } from '#src/core/base/settings/listen-address.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';

const tcp = (host: string | null, port: number) => ({ kind: 'tcp', host, port }) as const;

describe('an address to listen on', () => {
  test.each([
    ['127.0.0.1:8080', tcp('127.0.0.1', 8080), '127.0.0.1:8080'],
    ['[::1]:8080', tcp('::1', 8080), '[::1]:8080'],
    ['localhost:0', tcp('localhost', 0), 'localhost:0'],
    [':8080', tcp(null, 8080), '*:8080'],
    ['*:8080', tcp(null, 8080), '*:8080'],
    [
      'unix:/run/lurecheck/http.sock',
      { kind: 'unix', path: '/run/lurecheck/http.sock' },
      'unix:/run/lurecheck/http.sock',
    ],
  ] as const)('is read from %s', (text, address, written) => {
    expect(listenAddress.read([text])).toEqual(address);
    expect(formatListenAddress(address)).toBe(written);
    expect(listenAddress.read([written])).toEqual(address);
  });

  test.each([
    '8080',
    ':',
    ':65536',
    '*:http',
    '127.0.0.1',
    '127.0.0.1:',
    '[::1]',
    'a b:80',
    'http://127.0.0.1:80',
    'unix:',
    'unix:http.sock',
    'unix:/run/',
    `unix:/${'x'.repeat(107)}`,
  ])('is not read from %j', (text) => {
    expect(listenAddress.read([text])).toBeNull();
  });
});

test('several addresses are accepted from every source, and at least one is required', () => {
  const given = (flags: readonly string[]) => ({ flags: { listen: flags }, environment: {}, file: null });
  const { listen } = readConfig(given([':8080', 'unix:/run/x.sock'])).values;
  expect(listen.map(formatListenAddress)).toEqual(['*:8080', 'unix:/run/x.sock']);
  const environment = { LURECHECK_LISTEN: ':8080,unix:/run/x.sock' };
  expect(readConfig({ flags: {}, environment, file: null }).values.listen).toEqual(listen);
  expect(() => readConfig(given(['']))).toThrow(new SettingsError(['listen is empty; expected at least one address']));
});
