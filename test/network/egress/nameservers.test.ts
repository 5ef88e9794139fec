import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { createNameservers, parseResolverFile } from '#src/network/egress/dns/upstream.ts';
import { formatEndpoint, parseEndpoint } from '#src/network/egress/endpoint.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const at = (address: string) => ({ address, port: 53 });

test('reads the first three addresses of name servers from a resolver file', () => {
  const file = [
    '# a comment',
    'search example.net',
    'nameserver 192.0.2.1',
    '  nameserver\t2001:db8::1  ; here',
    'nameserver fe80::1%eth0',
    'nameserver localhost',
    'options timeout:1',
    'nameserver 192.0.2.2',
    'nameserver 192.0.2.3',
  ].join('\n');
  expect(parseResolverFile(file)).toEqual([at('192.0.2.1'), at('2001:db8::1'), at('192.0.2.2')]);
  expect(parseResolverFile('nameserver 192.0.2.1\n')).toEqual([at('192.0.2.1')]);
});

test('uses the resolvers of the system if the settings name none', async () => {
  const clock = createHeldClock();
  const file = await Bun.file('/etc/resolv.conf')
    .text()
    .catch(() => '');
  expect(await createNameservers([], clock)()).toEqual(parseResolverFile(file));
  expect(await createNameservers([at('192.0.2.9')], clock)()).toEqual([at('192.0.2.9')]);
});

test('gives all who ask at once the resolvers of the file, although only one of them reads it', async () => {
  await using folder = temporaryDirectory();
  const path = join(folder.path, 'resolv.conf');
  await Bun.write(path, 'nameserver 192.0.2.7\n');
  const ask = createNameservers([], createHeldClock(), path);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([[at('192.0.2.7')], [at('192.0.2.7')], [at('192.0.2.7')]]);
});

test('reads the resolver file again after ten seconds', async () => {
  const clock = createHeldClock();
  const ask = createNameservers([], clock);
  const first = await ask();
  clock.nowMs = 9999;
  expect(await ask()).toBe(first);
  clock.nowMs = 10_000;
  const second = await ask();
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
});

test('uses 127.0.0.1 if a resolver file names no server, as the C library does', () => {
  expect(parseResolverFile('')).toEqual([at('127.0.0.1')]);
});

test('reads an endpoint with and without a port, and writes it in a form that it can read', () => {
  for (const [text, endpoint] of [
    ['192.0.2.1', at('192.0.2.1')],
    ['2001:db8::1', at('2001:db8::1')],
    ['192.0.2.1:1', { address: '192.0.2.1', port: 1 }],
    ['192.0.2.1:65535', { address: '192.0.2.1', port: 65_535 }],
    ['192.0.2.1:5353', { address: '192.0.2.1', port: 5353 }],
    ['[2001:db8::1]:5353', { address: '2001:db8::1', port: 5353 }],
  ] as const) {
    expect(parseEndpoint(text, 53)).toEqual(endpoint);
    expect(parseEndpoint(formatEndpoint(endpoint), 1)).toEqual(endpoint);
  }
});

test('refuses an invalid endpoint with a message', () => {
  for (const text of [
    '',
    'localhost:53',
    'x\n192.0.2.1:53',
    '192.0.2.1:53\n',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '192.0.2.1:',
    '192.0.2.1:100000',
    '192.0.2.1:+53',
    '2[001:db8::1]:53',
    '[2001:db8::]1:53',
    '[]:53',
    '192.0.2.1:x',
    '[2001:db8::1',
    '1.2.3:53',
    ':53',
  ]) {
    expect(parseEndpoint(text, 53)).toBeString();
  }
});
