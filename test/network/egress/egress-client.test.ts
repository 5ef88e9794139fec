import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import net from 'node:net';
import zlib from 'node:zlib';
import { FailureError } from '#src/core/base/failure.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import type { EgressSettings } from '#src/network/egress/settings.ts';
import { EGRESS_SETTINGS } from '#src/network/egress/settings.ts';
import { timed } from '#test/support/loop-time.ts';
import { PATIENT_MS, PATIENT_SECONDS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';
import { serveDns } from './dns-server.ts';
import { LATENESS_MS } from './lateness.ts';
import { openLoopback } from './loopback.ts';
import { type Op, type ScriptServer, serveScript } from './script-server.ts';

const HTTP_OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi';

/** The ways to connect that an egress client offers, all of which must behave alike. */
const WAYS: Readonly<
  Record<
    string,
    (
      egressClient: EgressClient,
      host: string,
      port: number,
      signal: AbortSignal,
      timeoutMs?: number,
    ) => Promise<unknown>
  >
> = {
  fetchHop: (egressClient, host, port, signal, timeoutMs = PATIENT_MS) =>
    egressClient.fetchHop({ url: targetOf(`http://${host}:${port}/`), timeoutMs }, signal),
  handshake: (egressClient, host, port, signal) => egressClient.handshake({ host, port }, signal),
  exchange: (egressClient, host, port, signal, timeoutMs = PATIENT_MS) =>
    egressClient.exchange({ host, port, request: Buffer.from('hello\r\n'), maxBytes: 1024, timeoutMs }, signal),
};

/** The code of the failure, and for a refusal its reason. */
async function outcome(attempt: Promise<unknown>): Promise<string> {
  return await attempt.then(
    () => 'ok',
    (error) => {
      if (!(error instanceof FailureError)) throw error;
      return error.code.startsWith('egress_denied') ? `${error.code} ${error.message.split(':')[0]}` : error.code;
    },
  );
}

const never = () => new AbortController().signal;
/** How long a test waits for somebody who says nothing. */
const BRIEF_SECONDS = 0.3;
const BRIEF_MS = 1000 * BRIEF_SECONDS;

describe.each(Object.entries(WAYS))('%s', (way, connect) => {
  const attempt = async (
    server: ScriptServer,
    more: Partial<EgressSettings> = {},
    host = '127.0.0.1',
    signal = never(),
    timeoutMs?: number,
  ) => {
    await using egress = openLoopback([server.port], more);
    return await outcome(connect(egress.client(), host, server.port, signal, timeoutMs));
  };
  const playing = (...ops: readonly Op[]) => serveScript(() => ops);

  // A handshake that succeeds needs a certificate: see `tls-handshake.test.ts`.
  if (way !== 'handshake') {
    test('returns the answer of the server', async () => {
      await using server = await playing({ op: 'send', data: HTTP_OK }, { op: 'end' });
      expect(await attempt(server)).toBe('ok');
    });
  }

  test('reports a refused connection', async () => {
    const server = await playing();
    await server[Symbol.asyncDispose]();
    expect(await attempt(server)).toBe('connection_refused');
  });

  test('ends a silent connection at the timeout', async () => {
    await using server = await playing({ op: 'hang' });
    const brief = { connect_timeout_seconds: BRIEF_SECONDS };
    const { result, loopMs } = await timed(() => attempt(server, brief, '127.0.0.1', never(), BRIEF_MS));
    expect(result).toBe('timeout');
    expect(loopMs).toBeLessThan(BRIEF_MS + LATENESS_MS);
    await server.closed();
  });

  test('reports a reset connection', async () => {
    await using server = await playing({ op: 'rst' });
    expect(['connection_reset', 'tls_handshake_failed']).toContain(await attempt(server));
  });

  test('refuses an answer of another protocol, except in an exchange of plain bytes', async () => {
    await using server = await playing({ op: 'send', data: '220 ready when you are\r\n' }, { op: 'end' });
    const malformed = { fetchHop: 'response_malformed', handshake: 'tls_handshake_failed', exchange: 'ok' }[way];
    expect(await attempt(server)).toBe(malformed as string);
  });

  test('ends within a second if the server never stops sending', async () => {
    await using server = await playing({ op: 'flood', data: 'x', times: 65536 });
    const { result, loopMs } = await timed(() => attempt(server));
    expect(result).not.toBe('timeout');
    expect(loopMs).toBeLessThan(1000);
    await server.closed();
  });

  test('ends on abort and closes its socket', async () => {
    await using server = await playing({ op: 'hang' });
    const abort = new AbortController();
    const attempted = attempt(server, {}, '127.0.0.1', abort.signal);
    while (server.requests.length === 0) await new Promise(setImmediate);
    abort.abort();
    expect(await attempted).toBe('aborted');
    await server.closed();
  });

  test('does not connect if it is already aborted', async () => {
    await using server = await playing({ op: 'hang' });
    expect(await attempt(server, {}, '127.0.0.1', AbortSignal.abort())).toBe('aborted');
    expect(server.connections()).toBe(0);
  });

  test('never connects to an address or a name that the policy denies', async () => {
    await using server = await playing({ op: 'send', data: HTTP_OK }, { op: 'end' });
    await using dns = await serveDns(({ type }) =>
      type === 'A' ? { answers: [{ name: '@', type: 'A', ttl: 0, data: '127.0.0.1' }] } : {},
    );
    const closed = { egress_allow: [], dns_server: [dns.endpoint] };
    expect(await attempt(server, closed)).toBe('egress_denied loopback');
    expect(await attempt(server, closed, 'site.test')).toBe('egress_denied_name loopback');
    expect(await attempt(server, { ...closed, egress_name: [] }, 'site.test')).toBe('egress_denied special-tld');
    expect(await attempt(server, { egress_port: [] })).toBe('egress_denied port');
    expect(await attempt(server, { network: 'dns' })).toBe('egress_denied network');
    expect(await attempt(server, { network: 'none' })).toBe('egress_denied network');
    expect(server.connections()).toBe(0);
  });

  test('fails with the DNS failure of the name', async () => {
    await using server = await playing();
    for (const [reply, code, dns_timeout_seconds] of [
      [{ rcode: 'NXDOMAIN' }, 'dns_nxdomain', PATIENT_SECONDS],
      [{}, 'dns_no_data', PATIENT_SECONDS],
      [{ rcode: 'SERVFAIL' }, 'dns_server_failure', PATIENT_SECONDS],
      [{ rcode: 'REFUSED' }, 'dns_refused', PATIENT_SECONDS],
      [{ drop: true }, 'timeout', BRIEF_SECONDS],
    ] as const) {
      await using dns = await serveDns(() => reply);
      expect(await attempt(server, { dns_server: [dns.endpoint], dns_timeout_seconds }, 'site.test')).toBe(code);
    }
    expect(server.connections()).toBe(0);
  });
});

describe('connections to one address', () => {
  test('are limited to two at a time', async () => {
    await using server = await serveScript(() => [{ op: 'hang' }]);
    await using egress = openLoopback([server.port]);
    const abort = new AbortController();
    const attempts = Array.from({ length: 8 }, () =>
      outcome(egress.client().fetchHop({ url: targetOf(`http://127.0.0.1:${server.port}/`) }, abort.signal)),
    );
    while (server.requests.length < 2) await new Promise(setImmediate);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(server.connections()).toBe(2);
    abort.abort();
    expect(await Promise.all(attempts)).toEqual(Array(8).fill('aborted'));
    await server.closed();
  });
});

describe('a proxy', () => {
  /** Answers CONNECT with `answer`, and then passes everything on to the place that was asked for. */
  async function serveProxy(answer: string) {
    const lines: string[] = [];
    const fields: string[][] = [];
    const server = net.createServer((client) => {
      client.on('error', () => {});
      client.once('data', (data) => {
        const [line = '', ...rest] = data.toString('latin1').split('\r\n');
        lines.push(line);
        fields.push(rest.filter((field) => field !== ''));
        client.write(answer);
        const [, host, port] = /^CONNECT (\S+):(\d+) /.exec(lines.at(-1) ?? '') ?? [];
        const upstream = net.connect({ host: host ?? '', port: Number(port) });
        upstream.on('error', () => {});
        client.pipe(upstream).pipe(client);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const bound = server.address();
    const port = bound && typeof bound === 'object' ? bound.port : 0;
    return {
      lines,
      fields,
      endpoint: { address: '127.0.0.1', port },
      [Symbol.asyncDispose]: async () => void server.close(),
    };
  }

  test('receives the address that the policy checked, for every protocol', async () => {
    await using server = await serveScript(() => [{ op: 'send', data: HTTP_OK }, { op: 'end' }]);
    await using proxy = await serveProxy('HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n');
    await using egress = openLoopback([server.port], { egress_proxy: proxy.endpoint });
    for (const way of ['fetchHop', 'exchange']) {
      expect(await outcome(WAYS[way]?.(egress.client(), '127.0.0.1', server.port, never()) ?? Promise.resolve())).toBe(
        'ok',
      );
    }
    const line = `CONNECT 127.0.0.1:${server.port} HTTP/1.1`;
    expect(proxy.lines).toEqual([line, line]);
    expect(proxy.fields[0]).toEqual([`Host: 127.0.0.1:${server.port}`]);
  });

  test('receives the configured credentials, which the settings mask', async () => {
    await using server = await serveScript(() => [{ op: 'send', data: HTTP_OK }, { op: 'end' }]);
    await using proxy = await serveProxy('HTTP/1.1 200 OK\r\n\r\n');
    const { egress_proxy } = EGRESS_SETTINGS;
    const text = `box:p@ss:wörd@127.0.0.1:${proxy.endpoint.port}`;
    const read = egress_proxy.kind.read([text]);
    expect(egress_proxy.kind.write(read)).toBe(`box:***@127.0.0.1:${proxy.endpoint.port}`);
    await using egress = openLoopback([server.port], { egress_proxy: read });
    const { fetchHop } = WAYS;
    expect(await outcome(fetchHop?.(egress.client(), '127.0.0.1', server.port, never()) ?? Promise.resolve())).toBe(
      'ok',
    );
    // RFC 7617 §2, with the charset of §2.1.
    const basic = Buffer.from('box:p@ss:wörd').toString('base64');
    expect(proxy.fields[0]).toEqual([`Host: 127.0.0.1:${server.port}`, `Proxy-Authorization: Basic ${basic}`]);
  });

  test.each(['box@192.0.2.1', ':pw@192.0.2.1', 'box:p\nw@192.0.2.1', 'box:pw@proxy.example', 'box:pw@'])(
    'cannot be configured as %j',
    (text) => {
      expect(EGRESS_SETTINGS.egress_proxy.kind.read([text])).toBeNull();
    },
  );

  for (const answer of [
    'HTTP/1.1 403 No\r\n\r\n',
    'SSH-2.0-x\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 injected\r\n\r\n',
    'x'.repeat(9000),
  ]) {
    test(`is reported as failed if it answers ${JSON.stringify(answer.slice(0, 40))}`, async () => {
      await using server = await serveScript(() => [{ op: 'hang' }]);
      await using proxy = await serveProxy(answer);
      await using egress = openLoopback([server.port], { egress_proxy: proxy.endpoint });
      const { fetchHop } = WAYS;
      expect(await outcome(fetchHop?.(egress.client(), '127.0.0.1', server.port, never()) ?? Promise.resolve())).toBe(
        'proxy_failed',
      );
    });
  }

  test('does not bypass the policy', async () => {
    await using proxy = await serveProxy('HTTP/1.1 200 OK\r\n\r\n');
    await using egress = openLoopback([], { egress_proxy: proxy.endpoint });
    const { fetchHop } = WAYS;
    expect(await outcome(fetchHop?.(egress.client(), '10.0.0.9', 80, never()) ?? Promise.resolve())).toBe(
      'egress_denied private',
    );
    expect(proxy.lines).toEqual([]);
  });
});

describe('an exchange', () => {
  test('may use the WHOIS port, unlike requests and handshakes', async () => {
    await using egress = openLoopback([]);
    const egressClient = egress.client();
    for (const [way, code] of [
      ['exchange', 'connection_refused'],
      ['fetchHop', 'egress_denied port'],
      ['handshake', 'egress_denied port'],
    ] as const) {
      expect(await outcome(WAYS[way]?.(egressClient, '127.0.0.1', 43, never()) ?? Promise.resolve())).toBe(code);
    }
  });

  test('returns what arrived before a timeout, up to its byte limit', async () => {
    for (const [ops, bytes, timeoutMs] of [
      [[{ op: 'send', data: 'part' }, { op: 'hang' }], 4, BRIEF_MS],
      [[{ op: 'send', data: 'x'.repeat(2000) }, { op: 'end' }], 1024, PATIENT_MS],
    ] as const) {
      await using server = await serveScript(() => ops);
      await using egress = openLoopback([server.port]);
      const answer = await WAYS['exchange']?.(egress.client(), '127.0.0.1', server.port, never(), timeoutMs);
      expect(answer).toMatchObject({ truncated: true, bytes: { length: bytes } });
    }
  });
});

describe('the byte budget of a check', () => {
  const MIB = 1024 * 1024;
  const page = (bytes: number) => [
    { op: 'send', data: `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n` },
    { op: 'repeat', data: 'x', n: bytes },
    { op: 'end' },
  ];

  test('counts bytes on the wire, not decoded bytes', async () => {
    const small = zlib.gzipSync(Buffer.alloc(MIB));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${small.length}\r\n\r\n`;
    await using server = await serveScript(() => Buffer.concat([Buffer.from(head), small]));
    await using egress = openLoopback([server.port], { wire_bytes: 64 * 1024 });
    const egressClient = egress.client();
    for (let hop = 0; hop < 4; hop++) {
      const { body, truncated } = await egressClient.fetchHop(
        { url: targetOf(`http://127.0.0.1:${server.port}/`) },
        never(),
      );
      expect({ bytes: body.length, truncated }).toEqual({ bytes: MIB, truncated: false });
    }
  });

  test('covers all hops of the check, and is separate from that of another check', async () => {
    await using server = await serveScript(() => page(1.5 * MIB));
    await using egress = openLoopback([server.port], { wire_bytes: 2 * MIB });
    const egressClient = egress.client();
    const request = { url: targetOf(`http://127.0.0.1:${server.port}/`), timeoutMs: PATIENT_MS };
    const fetchNext = async (through: EgressClient) => {
      const { truncated, wireBytes } = await through.fetchHop(request, never());
      return { truncated, wireBytes };
    };
    const first = await fetchNext(egressClient);
    const second = await fetchNext(egressClient);
    expect(first.truncated).toBeFalse();
    expect(second.truncated).toBeTrue();
    // What is left of a budget may be overrun by what the runtime reads at once.
    expect(first.wireBytes + second.wireBytes).toBeLessThan(2.5 * MIB);
    expect((await fetchNext(egress.client())).truncated).toBeFalse();
  });
});
