import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import net from 'node:net';
import type { EgressSettings } from '#src/network/egress/settings.ts';
import { readGreeting, readRequest, type SocksListener } from '#src/network/egress/socks/socks-listener.ts';
import { serveDns } from './dns-server.ts';
import { openLoopback } from './loopback.ts';
import { type Op, serveScript } from './script-server.ts';

const HTTP_OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';
const GREETING = Uint8Array.of(5, 1, 0);
const UNREACHABLE = 4;

const named = (host: string, port: number) =>
  Buffer.concat([Uint8Array.of(5, 1, 0, 3, host.length), Buffer.from(host), Uint8Array.of(port >> 8, port & 255)]);
const numbered = (address: readonly number[], port: number) =>
  Uint8Array.of(5, 1, 0, address.length === 4 ? 1 : 4, ...address, port >> 8, port & 255);

/** Sends a request after the greeting, and returns the answer's code with everything behind it. */
async function ask(port: number, request: Uint8Array, more = '') {
  const socket = net.connect(port, '127.0.0.1');
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Uint8Array) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  socket.on('error', () => {});
  socket.write(Buffer.concat([GREETING, request, Buffer.from(more)]));
  await once(socket, 'close');
  return { code: bytes[3], text: bytes.subarray(12).toString('latin1') };
}

async function withListener<T>(
  ports: readonly number[],
  own: Partial<EgressSettings>,
  run: (listener: SocksListener) => Promise<T>,
): Promise<T> {
  await using egress = openLoopback(ports, own);
  using listener = await egress.client().openSocks(new AbortController().signal);
  return await run(listener);
}

const answering = () => serveScript((): readonly Op[] => [{ op: 'send', data: HTTP_OK }, { op: 'end' }]);

describe('messages', () => {
  test('a greeting without "no authentication" is invalid, and one that is cut short is incomplete', () => {
    expect(readGreeting(GREETING)).toEqual({ value: true, length: 3 });
    expect(readGreeting(Uint8Array.of(5, 2, 1, 2))).toBe('invalid');
    expect(readGreeting(Uint8Array.of(4, 1))).toBe('invalid');
    for (let length = 0; length < 3; length++) expect(readGreeting(GREETING.subarray(0, length))).toBeNull();
  });

  test('a host has its standard form, whatever its notation', () => {
    const hostOf = (request: Uint8Array) => {
      const read = readRequest(request);
      return read === null || read === 'invalid' ? read : (read.value?.host ?? 'none');
    };
    expect(hostOf(named('Shop.Example.', 80))).toBe('shop.example');
    expect(hostOf(named('0x7f.1', 80))).toBe('127.0.0.1');
    expect(hostOf(named('2130706433', 80))).toBe('127.0.0.1');
    expect(hostOf(named('[::ffff:a9fe:a9fe]', 80))).toBe('::ffff:a9fe:a9fe');
    expect(hostOf(numbered([169, 254, 169, 254], 80))).toBe('169.254.169.254');
    expect(hostOf(numbered([...Array(15).fill(0), 1], 80))).toBe('::1');
    for (const host of ['a.example/', 'a@b.example', 'a b', '', 'a.example:81', 'a\0.example'])
      expect(hostOf(named(host, 80))).toBe('none');
    expect(hostOf(Uint8Array.of(5, 2, 0, 1, 1))).toBe('invalid');
    expect(hostOf(Uint8Array.of(5, 1, 0, 9, 1))).toBe('invalid');
  });

  test('a request that is cut short at any place is incomplete', () => {
    const request = named('shop.example', 443);
    for (let length = 0; length < request.length; length++) expect(readRequest(request.subarray(0, length))).toBeNull();
  });
});

test('a destination that the policy allows answers through the listener', async () => {
  await using server = await answering();
  await withListener([server.port], {}, async (listener) => {
    const request = numbered([127, 0, 0, 1], server.port);
    expect(await ask(listener.port, request, 'GET / HTTP/1.1\r\n\r\n')).toEqual({ code: 0, text: HTTP_OK });
    expect(listener.report()).toEqual({ connections: 1, refused: 0, isSpent: false });
    expect(listener.addressOf('127.0.0.1', server.port)).toBe('127.0.0.1');
    expect(listener.addressOf('127.0.0.1', 1)).toBeNull();
  });
});

test('a refused destination gets the answer of one that cannot be reached, and no packet', async () => {
  await using server = await answering();
  await using dns = await serveDns(({ type }) =>
    type === 'A' ? { answers: [{ name: '@', type: 'A', ttl: 0, data: '127.0.0.1' }] } : {},
  );
  const own = { egress_allow: [], dns_server: [dns.endpoint] };
  await withListener([server.port], own, async (listener) => {
    const refused = [
      numbered([127, 0, 0, 1], server.port),
      numbered([169, 254, 169, 254], 80),
      named('169.254.169.254', 80),
      named('0xA9FEA9FE', 80),
      numbered([10, 0, 0, 1], 443),
      numbered([...Array(15).fill(0), 1], 80),
      numbered([192, 0, 2, 1], 22),
      named('localhost', 80),
      named('inside.test', server.port),
    ];
    for (const request of refused) expect((await ask(listener.port, request)).code).toBe(UNREACHABLE);
    expect(listener.report()).toMatchObject({ connections: refused.length, refused: refused.length });
  });
  expect(server.connections()).toBe(0);
});

test('the bytes of all connections come from the budget of the check', async () => {
  await using server = await serveScript(() => [{ op: 'flood', data: 'x', times: 65536 }]);
  await withListener([server.port], { wire_bytes: 100_000 }, async (listener) => {
    const request = numbered([127, 0, 0, 1], server.port);
    const { text } = await ask(listener.port, request, 'GET / HTTP/1.1\r\n\r\n');
    expect(text.length).toBeLessThanOrEqual(100_000);
    expect(listener.report().isSpent).toBe(true);
    expect((await ask(listener.port, request)).code).toBe(UNREACHABLE);
  });
  await server.closed();
});

test('what is no SOCKS5 is cut off, and so is everything once the listener is closed', async () => {
  await using server = await serveScript(() => [{ op: 'hang' }]);
  await using egress = openLoopback([server.port]);
  const ended = new AbortController();
  const listener = await egress.client().openSocks(ended.signal);
  const http = net.connect(listener.port, '127.0.0.1');
  http.end('GET / HTTP/1.1\r\n\r\n');
  http.on('error', () => {});
  await once(http.resume(), 'close');
  const open = ask(listener.port, numbered([127, 0, 0, 1], server.port), 'GET / HTTP/1.1\r\n\r\n');
  while (server.requests.length === 0) await new Promise(setImmediate);
  ended.abort();
  await open;
  await server.closed();
});

test('a client that keeps sending after an invalid message, or after a refusal, is cut off', async () => {
  await using egress = openLoopback([]);
  using listener = await egress.client().openSocks(new AbortController().signal);
  const refused = Buffer.concat([GREETING, numbered([10, 0, 0, 1], 80)]);
  for (const first of [Uint8Array.of(4, 1, 0), Uint8Array.of(5, 1, 9), new Uint8Array(300).fill(5), refused]) {
    // Half open: the answer and the end of the listener's side do not end it.
    const socket = net.connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    socket.write(first);
    socket.on('drain', () => socket.write(Buffer.alloc(1 << 20)));
    socket.write(Buffer.alloc(1 << 20));
    await closed;
  }
});

test('is not opened without the network', async () => {
  await using egress = openLoopback([], { network: 'dns' });
  expect(egress.client().openSocks(new AbortController().signal)).rejects.toThrow('network');
});
