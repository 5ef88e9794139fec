import { expect, test } from 'bun:test';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { rawExchange } from '#test/support/raw-exchange.ts';
import { startServer } from './running-server.ts';

const OWN = [
  '127.0.0.1',
  '192.0.2.7:8080',
  '[::1]',
  '[2001:db8::1]:8080',
  'localhost',
  'LOCALHOST:8080',
  'localhost.',
  'check.localhost',
  'box',
  'Box.Corp.Example:8080',
];

const FOREIGN = [
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  'notlocalhost',
  'box.evil.example',
  'corp.example',
  '127.0.0.1.evil.example',
  '0x7f.1',
  '127.1',
  '[::1].evil.example',
  '[::]1',
  '1[::]',
  'a[::1]',
  '[::1',
  'a b',
];

/** The status of a request that names this host. */
async function statusFor(port: number, host: string, path = '/api/history'): Promise<number | null> {
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return (await rawExchange(port, Buffer.from(request))).status;
}

test('without configured hosts, IP addresses, localhost and the names of the host are accepted', async () => {
  await using server = startServer();
  for (const host of OWN) expect([host, await statusFor(server.port, host)]).toEqual([host, 200]);
});

test('without configured hosts, a foreign name gets 421 on every route except the health checks', async () => {
  await using server = startServer();
  for (const host of FOREIGN) expect([host, await statusFor(server.port, host)]).not.toEqual([host, 200]);
  for (const path of ['/', '/api/history', '/api/stats', '/swagger', '/swagger/json', '/nothing-here']) {
    expect([path, await statusFor(server.port, 'evil.example', path)]).toEqual([path, 421]);
  }
  expect(await statusFor(server.port, 'evil.example', '/livez')).toBe(200);
  const check = await server.check({ url: 'https://example.com/' }, { Host: 'evil.example' });
  expect([check.status, await check.json()]).toMatchObject([421, { detail: expect.stringContaining('"host"') }]);
  expect(server.requests).toEqual([]);
});

test('with configured hosts, only those are accepted', async () => {
  await using server = startServer({ settings: { host: ['check.example'] } });
  expect(await statusFor(server.port, 'check.example')).toBe(200);
  expect(await statusFor(server.port, 'CHECK.example.:8080')).toBe(200);
  for (const host of ['127.0.0.1', 'localhost', 'box']) expect(await statusFor(server.port, host)).toBe(421);
});

test('any host that a trusted proxy passes on is accepted, but not from another peer', async () => {
  const [loopback, elsewhere] = [parseCidr('127.0.0.0/8'), parseCidr('192.0.2.0/24')];
  if (typeof loopback === 'string' || typeof elsewhere === 'string') throw new Error('not a block');
  await using trusting = startServer({ settings: { trusted_proxy: [loopback] } });
  expect(await statusFor(trusting.port, 'check.example')).toBe(200);
  await using other = startServer({ settings: { trusted_proxy: [elsewhere] } });
  expect(await statusFor(other.port, 'check.example')).toBe(421);
});

test('a browser gets a page that explains the refusal, and the log names the host once per minute', async () => {
  await using server = startServer();
  const visit = (host: string, accept: string) =>
    fetch(`${server.url}/`, { headers: { host, accept }, redirect: 'manual' });
  const page = await visit('<b>evil.example', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
  expect([page.status, page.headers.get('content-type')]).toEqual([421, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const text = await page.text();
  expect(text).toContain('serve --host links.example');
  expect(text).not.toContain('evil');
  const problem = await visit('second.example', '*/*');
  expect(problem.headers.get('content-type')).toBe('application/problem+json');
  const logged = server.log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request.misdirected');
  expect(logged).toMatchObject([{ level: 'warn', host: '<b>evil.example', refused: 1 }]);
});

test('the log contains at most 253 characters of a foreign name, the length of the longest one', async () => {
  await using server = startServer();
  await fetch(`${server.url}/`, { headers: { host: `${'a'.repeat(253)}b.example` } });
  expect(server.log.map((line) => JSON.parse(line).host)).toEqual(['a'.repeat(253)]);
});

test('a request of HTTP/1.0 without a name is for no configured host, and is logged with an empty name', async () => {
  await using server = startServer({ settings: { host: ['check.example'] } });
  expect((await rawExchange(server.port, Buffer.from('GET / HTTP/1.0\r\n\r\n'))).status).toBe(421);
  expect(server.log.map((line) => JSON.parse(line).host)).toEqual(['']);
  await using open = startServer();
  expect((await rawExchange(open.port, Buffer.from('GET /api/history HTTP/1.0\r\n\r\n'))).status).toBe(200);
});
