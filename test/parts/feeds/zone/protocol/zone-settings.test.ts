import { expect, test } from 'bun:test';
import { portAddress } from '#src/core/base/settings/listen-address.ts';
import { tsigKey, ZONE_KEYS_RULE, ZONE_SETTINGS, zonePeer } from '#src/parts/feeds/zone/protocol/settings.ts';

test.each([
  ['192.0.2.53', '192.0.2.53', { address: '192.0.2.53', port: 53 }],
  ['192.0.2.53/32', '192.0.2.53/32', null],
  ['192.0.2.53:5300', '192.0.2.53:5300', { address: '192.0.2.53', port: 5300 }],
  ['192.0.2.53:53', '192.0.2.53', { address: '192.0.2.53', port: 53 }],
  ['[2001:DB8::53]:5300', '[2001:db8::53]:5300', { address: '2001:db8::53', port: 5300 }],
  ['2001:db8::53', '2001:db8::53', { address: '2001:db8::53', port: 53 }],
  ['192.0.2.0/24', '192.0.2.0/24', null],
])('%s is a name server, or a block of them', (text, written, notified) => {
  const peer = zonePeer.read([text]);
  expect(peer?.notified).toEqual(notified);
  expect(peer && zonePeer.write(peer)).toBe(written);
});

test.each([
  '',
  'ns.example',
  '192.0.2.1/24',
  '192.0.2.0/24:53',
  '[192.0.2.0/24]:53',
  '192.0.2.53:0',
  '192.0.2.53:65536',
  '[::1]',
  '::ffff:192.0.2.53',
])('"%s" is neither', (text) => expect(zonePeer.read([text])).toBeNull());

const SECRET = Buffer.alloc(32, 1).toString('base64');

test('a key has its name, an algorithm and a secret, which is not written', () => {
  const key = tsigKey.read([`hmac-sha512:Key.Example.:${SECRET}`]);
  expect(key).toEqual({ name: 'key.example', algorithm: 'hmac-sha512', secret: Buffer.alloc(32, 1) });
  expect(key && tsigKey.write(key)).toBe('hmac-sha512:key.example:***');
  expect(tsigKey.read([`lurecheck:${SECRET}`])).toMatchObject({ name: 'lurecheck', algorithm: 'hmac-sha256' });
  for (const bytes of [16, 128])
    expect(tsigKey.read([`a:${Buffer.alloc(bytes).toString('base64')}`])?.secret).toHaveLength(bytes);
  expect([tsigKey.isSecret, ZONE_SETTINGS.zone_keys.kind.isSecret]).toEqual([true, true]);
});

test.each([
  '',
  SECRET,
  'lurecheck:',
  `:${SECRET}`,
  `hmac-md5:lurecheck:${SECRET}`,
  `hmac-sha256:lurecheck:${SECRET}:`,
  `toString:lurecheck:${SECRET}`,
  `two..dots:${SECRET}`,
  `${'a'.repeat(64)}:${SECRET}`,
  `a b:${SECRET}`,
  `lurecheck:${Buffer.alloc(15).toString('base64')}`,
  'lurecheck:not base64 of any length at all',
  `lurecheck:${Buffer.alloc(129).toString('base64')}`,
])('"%s" is not a key', (text) => expect(tsigKey.read([text])).toBeNull());

test('two keys with one name are a mistake', () => {
  const keys = ['a', 'b', 'A'].flatMap((name) => tsigKey.read([`${name}:${SECRET}`]) ?? []);
  const given = { zone_listen: [], zone_peers: [], zone_keys: keys };
  expect(ZONE_KEYS_RULE.problem(given)).toBe('zone_keys has two keys with the name a');
  expect(ZONE_KEYS_RULE.problem({ ...given, zone_keys: keys.slice(0, 2) })).toBeNull();
});

test('a zone is not served in a file', () => {
  expect(portAddress.read(['unix:/run/zone.sock'])).toBeNull();
  expect(portAddress.read(['[::1]:5300'])).toEqual({ kind: 'tcp', host: '::1', port: 5300 });
});
