import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { FAILURES, FailureError } from '#src/core/base/failure.ts';
import { readSettings } from '#src/core/base/settings/setting-reader.ts';
import { createEgressCompartment } from '#src/network/egress/compartment.ts';
import { dial, socketFailure } from '#src/network/egress/connect/dial.ts';
import { encodeQuery } from '#src/network/egress/dns/message.ts';
import { queryOverTcp } from '#src/network/egress/dns/upstream.ts';
import { converse } from '#src/network/egress/egress-client.ts';
import { EGRESS_SETTINGS } from '#src/network/egress/settings.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { targetOf } from '#test/support/target.ts';
import { serveDns } from './dns-server.ts';
import { encodeReply } from './dns-wire.ts';
import { openLoopback } from './loopback.ts';
import { type Op, serveScript } from './script-server.ts';

const never = () => new AbortController().signal;
const everythingThatCan = () => new Promise((resolve) => setImmediate(resolve));

describe('a socket error', () => {
  test.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['ECONNRESET', 'connection_reset'],
    ['ECONNABORTED', 'connection_reset'],
    ['EPIPE', 'connection_reset'],
    ['ERR_SOCKET_CLOSED', 'connection_reset'],
    ['ENETUNREACH', 'unreachable'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETDOWN', 'unreachable'],
    ['EADDRNOTAVAIL', 'unreachable'],
    ['EACCES', 'unreachable'],
    ['EPERM', 'unreachable'],
    ['ETIMEDOUT', 'timeout'],
    ['ESOMETHING', 'dns_malformed'],
  ] as const)('%s is reported as %s', (code, failure) => {
    const error = Object.assign(new Error('what the system says'), { code });
    expect(socketFailure(error, 'dns_malformed')).toMatchObject({
      code: failure,
      message: `${code}: what the system says`,
    });
  });

  test('returns a known failure unchanged, and limits the details of other values', () => {
    const known = new FailureError('timeout');
    expect(socketFailure(known, 'unreachable')).toBe(known);
    expect(socketFailure('x', 'unreachable').failure).toEqual({
      code: 'unreachable',
      detail: `unknown: ${FAILURES.internal_error}`,
    });
    expect(socketFailure(new TypeError('x'), 'unreachable').message).toBe('TypeError: x');
    expect(socketFailure(new Error('x'.repeat(1000)), 'unreachable').message).toHaveLength(300);
  });
});

describe('an exchange on a socket', () => {
  async function talk(ops: readonly Op[], signal = never(), maxBytes = 1024) {
    await using server = await serveScript(() => ops);
    const socket = await dial({ address: '127.0.0.1', port: server.port }, never());
    const said = await converse(socket, Buffer.from('hello\r\n'), maxBytes, signal).then(
      ({ bytes, truncated }) => ({ text: Buffer.from(bytes).toString(), truncated }),
      (error) => error.code,
    );
    expect(socket.destroyed).toBe(true);
    return said;
  }
  const part: Op = { op: 'send', data: 'part' };
  const soon = () => AbortSignal.timeout(300);
  /** What a deadline does, and what the end of the whole check does. */
  const ending = (failure: FailureError | undefined) => {
    const controller = new AbortController();
    soon().addEventListener('abort', () => controller.abort(failure));
    return controller.signal;
  };

  test('is complete if the peer closes the connection normally', async () => {
    expect(await talk([part, { op: 'end' }])).toEqual({ text: 'part', truncated: false });
    expect(await talk([{ op: 'end' }])).toEqual({ text: '', truncated: false });
  });

  test('is truncated at the byte limit', async () => {
    expect(await talk([part, { op: 'end' }], never(), 4)).toEqual({ text: 'part', truncated: false });
    expect(await talk([part, { op: 'end' }], never(), 3)).toEqual({ text: 'par', truncated: true });
  });

  test('is truncated at a deadline, and fails if the check ends', async () => {
    const timeout = new FailureError('timeout');
    expect(await talk([part, { op: 'hang' }], ending(timeout))).toEqual({ text: 'part', truncated: true });
    expect(await talk([{ op: 'hang' }], ending(timeout))).toBe('timeout');
    expect(await talk([part, { op: 'hang' }], ending(undefined))).toBe('aborted');
  });

  test('fails if the connection is reset before the first byte', async () => {
    expect(await talk([{ op: 'rst' }])).toBe('connection_reset');
  });
});

describe('a connection attempt', () => {
  test('accepts only an address, not a name that the runtime would resolve', async () => {
    await expect(dial({ address: 'localhost', port: 80 }, never())).rejects.toMatchObject({
      code: 'egress_denied',
      message: 'not-an-address: localhost',
    });
  });

  test('distinguishes a refused connection from an unreachable address', async () => {
    const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.filter(({ internal }) => internal),
    );
    expect(own).not.toBeEmpty();
    for (const { address } of own) {
      const free = net.createServer().listen(0, address);
      await once(free, 'listening');
      const bound = free.address();
      const port = bound && typeof bound === 'object' ? bound.port : 0;
      await new Promise((resolve) => free.close(resolve));
      await expect(dial({ address, port }, never())).rejects.toMatchObject({ code: 'connection_refused' });
    }
    // No route leads a connection to everybody at once.
    for (const address of ['255.255.255.255', 'ff02::1']) {
      await expect(dial({ address, port: 80 }, never())).rejects.toMatchObject({ code: 'unreachable' });
    }
  });
});

describe('a host with several addresses', () => {
  const resolving = (...addresses: readonly string[]) =>
    serveDns(({ type }) =>
      type === 'A' ? { answers: addresses.map((data) => ({ name: '@', type, ttl: 60, data })) } : {},
    );
  const page: readonly Op[] = [{ op: 'send', data: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi' }, { op: 'end' }];

  /** The address that answered, or the failure. */
  async function reach(...addresses: readonly string[]) {
    await using server = await serveScript(() => page);
    await using dns = await resolving(...addresses);
    await using egress = openLoopback([server.port], { dns_server: [dns.endpoint], egress_name: ['example'] });
    const url = targetOf(`http://host.example:${server.port}/`);
    return await egress
      .client()
      .fetchHop({ url }, never())
      .then(
        ({ address }) => address,
        (error) => error.code,
      );
  }

  test('is reached at the first of at most three addresses that answers', async () => {
    expect(await reach('127.0.0.1', '127.0.7.7')).toBe('127.0.0.1');
    expect(await reach('127.0.7.7', '127.0.7.8', '127.0.0.1')).toBe('127.0.0.1');
    expect(await reach('127.0.7.6', '127.0.7.7', '127.0.7.8', '127.0.0.1')).toBe('connection_refused');
  });

  test('is refused if the policy denies any of its addresses', async () => {
    expect(await reach('127.0.0.1', '127.0.7.7', '127.0.7.8', '10.0.0.1')).toBe('egress_denied_mixed');
  });
});

describe('the body of a redirect', () => {
  const ops: readonly Op[] = [
    { op: 'send', data: 'HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 4\r\n\r\nbody' },
    { op: 'end' },
  ];

  test('is skipped if requested, and read otherwise', async () => {
    await using server = await serveScript(() => ops);
    await using egress = openLoopback([server.port]);
    const url = targetOf(`http://127.0.0.1:${server.port}/`);
    const bodyOf = async (more: { readonly skipRedirectBody?: boolean }) => {
      const { body, truncated } = await egress.client().fetchHop({ url, ...more }, never());
      return [Buffer.from(body).toString(), truncated];
    };
    expect(await bodyOf({ skipRedirectBody: true })).toEqual(['', false]);
    expect(await bodyOf({ skipRedirectBody: false })).toEqual(['body', false]);
    expect(await bodyOf({})).toEqual(['body', false]);
  });

  test('is read if the status is not a redirect', async () => {
    const plain: readonly Op[] = [
      { op: 'send', data: 'HTTP/1.1 200 OK\r\nLocation: /b\r\nContent-Length: 4\r\n\r\nbody' },
      { op: 'end' },
    ];
    await using server = await serveScript(() => plain);
    await using egress = openLoopback([server.port]);
    const url = targetOf(`http://127.0.0.1:${server.port}/`);
    const { body } = await egress.client().fetchHop({ url, skipRedirectBody: true }, never());
    expect(Buffer.from(body).toString()).toBe('body');
  });
});

describe('a DNS query over TCP', () => {
  test('accepts an answer in pieces, and ignores bytes after it', async () => {
    const question = { id: 7, name: 'a.example', type: 'A' } as const;
    const reply = encodeReply(encodeQuery(question), {
      answers: [{ name: '@', type: 'A', ttl: 60, data: '192.0.2.1' }],
    });
    const sent = [0, reply.length, ...reply, 1, 2, 3];
    const pieces = sent.map((octet) => ({ op: 'send', data: String.fromCharCode(octet) }));
    await using server = await serveScript(() => [...pieces, { op: 'hang' }]);
    const answer = await queryOverTcp({ address: '127.0.0.1', port: server.port }, question, never());
    expect(Buffer.from(answer).equals(reply)).toBe(true);
  });

  test('starts with its length', async () => {
    const messages: Buffer[] = [];
    const asked = Promise.withResolvers<void>();
    const tcp = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data: Buffer) => {
        messages.push(data);
        asked.resolve();
        socket.destroy();
      });
    });
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const bound = tcp.address();
    const port = bound && typeof bound === 'object' ? bound.port : 0;
    const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
    for (const [question, least] of [
      ['a.example', 0],
      [name, 256],
    ] as const) {
      messages.length = 0;
      await expect(
        queryOverTcp({ address: '127.0.0.1', port }, { id: 7, name: question, type: 'A' }, never()),
      ).rejects.toBeInstanceOf(FailureError);
      const message = Buffer.concat(messages);
      expect(message.readUInt16BE(0)).toBe(message.length - 2);
      expect(message.readUInt16BE(2)).toBe(7);
      expect(message.length - 2).toBeGreaterThan(least);
    }
    await asked.promise;
    await new Promise((resolve) => tcp.close(resolve));
  });
});

describe('an egress compartment', () => {
  test('limits how many queries and connections wait', async () => {
    const bounds = { dns_concurrency: 1, connections_per_address: 1 };
    const { dnsSemaphore, addressSemaphores } = createEgressCompartment(bounds, createHeldClock());
    for (const [enter, room] of [
      [() => dnsSemaphore.acquire(never()), 1024],
      [() => addressSemaphores('192.0.2.1 a.example', never()), 100],
    ] as const) {
      using _first = await enter();
      const waiting = Array.from({ length: room }, enter);
      await everythingThatCan();
      await expect(enter()).rejects.toMatchObject({ code: 'overloaded' });
      _first[Symbol.dispose]();
      for (const permit of waiting) (await permit)[Symbol.dispose]();
    }
  });
});

describe('the settings of the egress client', () => {
  const read = (flags: Readonly<Record<string, readonly string[]>>) =>
    readSettings(EGRESS_SETTINGS, { flags, environment: {}, file: null }).values;
  const namesOf = (text: string) => read({ 'egress-name': [text] }).egress_name;

  test('normalize a special name to lower case without outer dots', () => {
    expect(['Corp', '.lab.internal.', 'a_b-c.1'].map(namesOf)).toEqual([['corp'], ['lab.internal'], ['a_b-c.1']]);
  });

  test.each(['..corp', 'corp..', 'a..b', 'a b', 'bücher', '*.corp', 'x/y', '.'])(
    'refuse the special name %j',
    (text) => {
      expect(() => namesOf(text)).toThrow('--egress-name');
    },
  );

  test('have default ports for resolvers and proxies', () => {
    const { dns_server, egress_proxy } = read({ 'dns-server': ['192.0.2.1'], 'egress-proxy': ['192.0.2.1'] });
    expect([dns_server[0]?.port, egress_proxy?.port]).toEqual([53, 3128]);
  });
});
