import { expect, test } from 'bun:test';
import { clientAddress, UNIX_PEER } from '#src/core/base/addresses/client-address.ts';
import { formatIp, parseCidr, parseIp } from '#src/core/base/addresses/ip.ts';
import { createClients } from '#src/service/server/limiter/client.ts';
import { createRandom } from '#test/support/random.ts';
import { rawExchange, requestBytes } from '#test/support/raw-exchange.ts';
import { startServer } from './running-server.ts';

const PROXIES = ['127.0.0.1/32', '10.0.0.0/8', '2001:db8:ffff::/48']
  .map(parseCidr)
  .filter((cidr) => typeof cidr === 'object');

function clientOf(peer: string | null, headers: Record<string, string> = {}) {
  const ip = clientAddress(peer, new Headers(headers), PROXIES);
  return ip && formatIp(ip);
}

test('the client address is the last forwarded one that is not a trusted proxy, if the peer is one', () => {
  const forwarded = { 'X-Forwarded-For': '6.6.6.6, 1.2.3.4, 10.0.0.7' };
  expect(clientOf('127.0.0.1', forwarded)).toBe('1.2.3.4');
  expect(clientOf('::ffff:127.0.0.1', forwarded)).toBe('1.2.3.4');
  expect(clientOf('2001:db8:ffff::1', forwarded)).toBe('1.2.3.4');
  expect(clientOf('192.0.2.1', forwarded)).toBe('192.0.2.1');
  expect(clientOf('::1', forwarded)).toBe('::1');
  expect(clientOf('127.0.0.1', { 'X-Forwarded-For': '10.0.0.9, 10.0.0.7' })).toBe('10.0.0.9');
  expect(clientOf('127.0.0.1')).toBe('127.0.0.1');
  expect(clientOf(null, forwarded)).toBeNull();
});

test('forwarded addresses are read with and without a port, in brackets, and IPv4-mapped', () => {
  const texts = {
    '1.2.3.4:5678': '1.2.3.4',
    '[2001:db8::5]': '2001:db8::5',
    '[2001:db8::5]:443': '2001:db8::5',
    '2001:DB8:0::5': '2001:db8::5',
    '::ffff:1.2.3.4': '1.2.3.4',
  };
  for (const [text, address] of Object.entries(texts)) {
    expect([text, clientOf('10.0.0.1', { 'X-Forwarded-For': text })]).toEqual([text, address]);
    expect([text, clientOf('10.0.0.1', { Forwarded: `for="${text}";proto=https` })]).toEqual([text, address]);
  }
  expect(clientOf('10.0.0.1', { Forwarded: 'for=9.9.9.9, by=10.0.0.1;FOR=1.2.3.4 ; host=a' })).toBe('1.2.3.4');
});

test('invalid or contradictory headers are ignored, and the address of the peer is used', () => {
  for (const junk of [
    '',
    ' ',
    ',',
    'unknown',
    '_hidden',
    '1.2.3.4,',
    '1.2.3.4, junk',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4:',
    'x1.2.3.4',
  ]) {
    expect([junk, clientOf('10.0.0.1', { 'X-Forwarded-For': junk })]).toEqual([junk, '10.0.0.1']);
    expect([junk, clientOf('10.0.0.1', { Forwarded: `for="${junk}"` })]).toEqual([junk, '10.0.0.1']);
  }
  const both = (list: string, forwarded: string) => ({ 'X-Forwarded-For': list, Forwarded: `for=${forwarded}` });
  expect(clientOf('10.0.0.1', both('1.2.3.4', '1.2.3.4'))).toBe('1.2.3.4');
  expect(clientOf('10.0.0.1', both('1.2.3.4', '5.6.7.8'))).toBe('10.0.0.1');
  expect(clientOf('10.0.0.1', both('1.2.3.4', 'unknown'))).toBe('10.0.0.1');
});

test('the address that the proxy appends is used, whatever the client puts before it', () => {
  const random = createRandom(3);
  const pieces = [
    '1.2.3.4',
    '10.0.0.3',
    '::1',
    'for=',
    '"',
    ',',
    ';',
    ' ',
    'unknown',
    '[',
    ']',
    '5.5.5.5:80',
    '%',
    'é',
  ];
  for (let n = 0; n < 5000; n++) {
    const own = Array.from({ length: random.below(8) }, () => random.pick(pieces)).join('');
    const list = `${own}${own === '' ? '' : ', '}9.8.7.6`;
    expect([own, clientOf('10.0.0.1', { 'X-Forwarded-For': list })]).toEqual([own, '9.8.7.6']);
  }
});

test('a header line that the proxy adds after that of the client is used', async () => {
  await using server = startServer({ settings: { trusted_proxy: PROXIES } });
  const order = '{"url":"http://example.com/"}';
  const bytes = requestBytes(server.port, 'POST', '/api/check-url', { 'Content-Type': 'application/json' }, order);
  const [head = '', body = ''] = Buffer.from(bytes).toString('latin1').split('\r\n\r\n');
  for (const [own, added] of [
    ['X-Forwarded-For: 6.6.6.6', 'X-Forwarded-For: 9.8.7.6'],
    ['x-forwarded-for: 6.6.6.6, 5.5.5.5', 'X-FORWARDED-FOR: 9.8.7.6'],
    ['Forwarded: for=6.6.6.6', 'Forwarded: for=9.8.7.6'],
  ]) {
    const lines = `${head}\r\n${own}\r\nX-Between: 1\r\n${added}\r\n\r\n${body}`;
    expect((await rawExchange(server.port, Buffer.from(lines, 'latin1'))).status).toBe(200);
  }
  expect(server.requests.map(({ client }) => client)).toEqual(['9.8.7.6', '9.8.7.6', '9.8.7.6']);
});

test('the client is found behind 31 trusted proxies, but not behind 32', () => {
  const behind = (proxies: number) =>
    clientOf('10.0.0.1', { 'X-Forwarded-For': `9.9.9.9${', 10.0.0.3'.repeat(proxies)}` });
  expect(behind(31)).toBe('9.9.9.9');
  expect(behind(32)).toBe('10.0.0.1');
});

test('the first address of a chain of 32 trusted proxies is used, and a chain of 33 is ignored', () => {
  const chain = (length: number) =>
    clientOf('10.0.0.1', {
      'X-Forwarded-For': ['10.0.0.9', ...Array.from({ length: length - 1 }, () => '10.0.0.3')].join(', '),
    });
  expect(chain(32)).toBe('10.0.0.9');
  expect(chain(33)).toBe('10.0.0.1');
});

test('only a bounded part of a header with 100,000 addresses is read', () => {
  const long = `9.9.9.9, ${'10.0.0.3, '.repeat(100_000)}10.0.0.4`;
  expect(clientOf('10.0.0.1', { 'X-Forwarded-For': long })).toBe('10.0.0.1');
});

test('an IPv6 client is counted by its /64, and an IPv4 client by its address in every spelling', () => {
  const key = createClients({ rate_limit: 20, rate_limit_cidr: [], rate_limit_network: null, trusted_proxy: [] });
  const keyOf = (peer: string | null) => key(peer, new Headers()).key;
  expect(keyOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(keyOf('2001:db8:1:2::')).toBe(keyOf('2001:0DB8:1:2:ffff::1'));
  expect(keyOf('2001:db8:1:3::1')).not.toBe(keyOf('2001:db8:1:2::1'));
  expect(keyOf('::ffff:192.0.2.1')).toBe(keyOf('192.0.2.1'));
  expect(keyOf('fe80::1%eth0')).toBe('fe80::/64');
  expect(keyOf(null)).toBe('unknown');
});

test('behind a Unix socket, a forwarded address is used only if the operator trusts such proxies', () => {
  const headers = new Headers({ 'x-forwarded-for': '192.0.2.1, 10.0.0.1' });
  expect(clientAddress(UNIX_PEER, headers, PROXIES)).toBeNull();
  expect(clientAddress(null, headers, [...PROXIES, UNIX_PEER])).toBeNull();
  expect(clientAddress('192.0.2.9', headers, [UNIX_PEER])).toEqual(parseIp('192.0.2.9'));
  expect(clientAddress(UNIX_PEER, headers, [UNIX_PEER])).toEqual(parseIp('10.0.0.1'));
  expect(clientAddress(UNIX_PEER, headers, [...PROXIES, UNIX_PEER])).toEqual(parseIp('192.0.2.1'));
  expect(clientAddress(UNIX_PEER, new Headers(), [UNIX_PEER])).toBeNull();
});

test('the limit of the longest prefix applies to a client, which then has no network', () => {
  const block = (text: string) => {
    const cidr = parseCidr(text);
    if (typeof cidr === 'string') throw new Error(cidr);
    return cidr;
  };
  const clientOf = createClients({
    ...{ rate_limit: 20, rate_limit_network: null, trusted_proxy: [] },
    rate_limit_cidr: [
      { cidr: block('2001:db8::/32'), limit: 50 },
      { cidr: block('2001:db8:1:2:3::/80'), limit: 70 },
      { cidr: block('10.0.0.0/8'), limit: 90 },
      { cidr: block('10.1.0.0/16'), limit: 0 },
    ],
  });
  const asker = (peer: string | null) => clientOf(peer, new Headers());
  expect(asker('2001:db8:1:2::1')).toEqual({ key: '2001:db8:1:2::/64', limit: 50, network: null });
  expect(asker('2001:db8:1:2:3::1')).toEqual({ key: '2001:db8:1:2:3::/80', limit: 70, network: null });
  expect(asker('10.0.0.1')).toEqual({ key: '10.0.0.1', limit: 90, network: null });
  expect(asker('10.1.0.1')).toEqual({ key: '10.1.0.1', limit: 0, network: null });
  // Others have the default, and in IPv6 a network of ten times that.
  expect(asker('192.0.2.1')).toEqual({ key: '192.0.2.1', limit: 20, network: null });
  const network = { key: '2001:db9:1::/48', limit: 200 };
  expect(asker('2001:db9:1:2::1')).toEqual({ key: '2001:db9:1:2::/64', limit: 20, network });
  expect(asker(UNIX_PEER)).toEqual({ key: UNIX_PEER, limit: 20, network: null });
});
