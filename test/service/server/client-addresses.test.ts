import { expect, test } from 'bun:test';
import { UNIX_PEER } from '#src/core/base/addresses/client-address.ts';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { createAddresses } from '#src/service/server/http/client-addresses.ts';

const PROXY = parseCidr('127.0.0.1/32');
if (typeof PROXY === 'string') throw new Error(PROXY);

/** The address of a client, and whether it is on this host. */
const clientOf = (peer: string | null, headers: Record<string, string>, isTrusted = false) => {
  const { addressOf, isLocal } = createAddresses({ trusted_proxy: isTrusted ? [PROXY] : [] }, () => peer);
  const context = { request: new Request('http://a.example/', { headers }), server: null };
  return [addressOf(context), isLocal(context)];
};

test.each<[string | null, Record<string, string>, string | null, boolean]>([
  ['127.0.0.1', { host: 'localhost' }, '127.0.0.1', true],
  ['127.0.0.1', {}, '127.0.0.1', true],
  ['::1', { host: '[::1]:8080' }, '::1', true],
  ['::ffff:127.0.0.1', { host: '127.0.0.1:8080' }, '127.0.0.1', true],
  [UNIX_PEER, { host: 'localhost' }, null, true],
  [null, { host: 'localhost' }, null, false],
  ['192.0.2.1', { host: 'localhost' }, '192.0.2.1', false],
  ['127.0.0.1', { host: 'box.example' }, '127.0.0.1', false],
  ['127.0.0.1', { host: '[::1' }, '127.0.0.1', false],
])('a client at %p with %j has the address %p, and is on this host: %p', (peer, headers, address, isLocal) => {
  expect(clientOf(peer, headers)).toEqual([address, isLocal]);
});

test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'])(
  'a request with %s came through a proxy, which is not taken for a client on this host',
  (name) => expect(clientOf('127.0.0.1', { host: 'localhost', [name]: '127.0.0.1' })).toEqual(['127.0.0.1', false]),
);

test('behind a trusted proxy the client that it names is the one that is on this host, or not', () => {
  const behind = (client: string) => clientOf('127.0.0.1', { host: 'localhost', 'x-forwarded-for': client }, true);
  expect(behind('127.0.0.2')).toEqual(['127.0.0.2', true]);
  expect(behind('192.0.2.1')).toEqual(['192.0.2.1', false]);
});
