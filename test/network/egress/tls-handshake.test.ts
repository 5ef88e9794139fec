import { describe, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import tls, { type TlsOptions } from 'node:tls';
import { FailureError } from '#src/core/base/failure.ts';
import type { TlsPeer } from '#src/network/egress/connect/tls-handshake.ts';
import type { EgressSettings } from '#src/network/egress/settings.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { timed } from '#test/support/loop-time.ts';
import { PATIENT_SECONDS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';
import vectors from '#test/vectors/tls-server.json' with { type: 'json' };
import { serveDns } from './dns-server.ts';
import { LATENESS_MS } from './lateness.ts';
import { openLoopback } from './loopback.ts';
import { type Op, serveScript } from './script-server.ts';

const { connectMs } = vectors.budgets;
const authority = createCertificateAuthority(Date.now());
const leaf = authority.issue({ subject: 'site.test' });

async function shake(
  port: number,
  more: Partial<EgressSettings> = {},
  host = '127.0.0.1',
  authorities: readonly string[] = [],
): Promise<TlsPeer | string> {
  await using egress = openLoopback([port], more, authorities);
  return await egress
    .client()
    .handshake({ host, port }, new AbortController().signal)
    .then(
      ({ tls: peer }) => peer,
      (error) => {
        if (error instanceof FailureError) return error.code;
        throw error;
      },
    );
}

/** A TLS server that answers any request with a small page; `names` collects the server names it was asked for. */
async function serveTls(options: TlsOptions = {}, names: unknown[] = []) {
  const SNICallback: TlsOptions['SNICallback'] = (name, proceed) => {
    names.push(name);
    proceed(null);
  };
  const server = tls.createServer({ key: leaf.keyPem, cert: leaf.pem, SNICallback, ...options }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    port: bound && typeof bound === 'object' ? bound.port : 0,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}

describe('a hostile TLS server', () => {
  for (const { id, script, expect: expected } of vectors.vectors) {
    if (!script) continue;
    const ops: readonly Op[] = script;
    test(`${id}: ${JSON.stringify(expected.outcome)}`, async () => {
      await using server = await serveScript(() => ops);
      const outcomes = [expected.outcome].flat();
      const seconds = outcomes.includes('timeout') ? connectMs / 1000 : PATIENT_SECONDS;
      const { result: got, loopMs } = await timed(() => shake(server.port, { connect_timeout_seconds: seconds }));
      expect(loopMs).toBeLessThan(connectMs + LATENESS_MS);
      expect(outcomes).toContain(got === 'timeout' ? 'timeout' : 'error');
      expect(typeof got).toBe('string');
      await server.closed();
    });
  }
});

describe('a server with old TLS', () => {
  // `srv-dhe` cannot be served: the runtime's TLS library knows no such cipher, on either side.
  for (const [id, options] of [
    ['srv-tls10', { minVersion: 'TLSv1', maxVersion: 'TLSv1' }],
    ['srv-cbc', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }],
  ] as const) {
    test(`${id} completes the handshake, and its protocol is reported`, async () => {
      await using server = await serveTls(options);
      expect(await shake(server.port)).toMatchObject({ protocol: id === 'srv-tls10' ? 'TLSv1' : 'TLSv1.2' });
    });
  }
});

describe('a handshake', () => {
  test('returns the certificate of an untrusted server', async () => {
    await using server = await serveTls();
    const peer = await shake(server.port);
    if (typeof peer === 'string') throw new Error(peer);
    expect(peer.authorizationError).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(peer.chain.map((der) => new X509Certificate(der).subject)).toEqual(['CN=site.test']);
  });

  test('trusts the authorities of the operator, and sends the host name', async () => {
    const names: unknown[] = [];
    await using server = await serveTls({}, names);
    await using dns = await serveDns(({ type }) =>
      type === 'A' ? { answers: [{ name: '@', type: 'A', ttl: 60, data: '127.0.0.1' }] } : {},
    );
    const settings = { dns_server: [dns.endpoint] };
    const trusted = [authority.pem];
    expect(await shake(server.port, settings, 'site.test', trusted)).toMatchObject({ authorizationError: null });
    expect(await shake(server.port, settings, 'other.test', trusted)).toMatchObject({
      authorizationError: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(names).toEqual(['site.test', 'other.test']);
  });

  test('uses the same connection for the certificate and the page', async () => {
    await using server = await serveTls();
    await using egress = openLoopback([server.port]);
    const url = targetOf(`https://127.0.0.1:${server.port}/`);
    const hop = await egress.client().fetchHop({ url }, new AbortController().signal);
    expect(new TextDecoder().decode(hop.body)).toBe('hi');
    expect(hop.tls?.chain.length).toBe(1);
  });

  test('ends before the request is sent if the certificate must be trusted and is not', async () => {
    await using server = await serveTls();
    await using egress = openLoopback([server.port]);
    const request = { url: targetOf(`https://127.0.0.1:${server.port}/`), trustRequired: true };
    const attempt = egress.client().fetchHop(request, new AbortController().signal);
    expect(attempt).rejects.toMatchObject({ code: 'tls_handshake_failed' });
    await attempt.catch(() => {});
  });
});

test('waiting for a busy address does not reduce the time for the handshake', async () => {
  await using server = await serveTls();
  await using silent = await serveScript(() => [{ op: 'hang' }]);
  await using egress = openLoopback([server.port, silent.port], { connect_timeout_seconds: 1 });
  const { signal } = new AbortController();
  // Two checks that take all of their time, and one behind them.
  const busy = [1, 2].map(() =>
    egress
      .client()
      .handshake({ host: '127.0.0.1', port: silent.port }, signal)
      .catch(() => 'failed'),
  );
  while (silent.requests.length < 2) await new Promise(setImmediate);
  const third = await egress.client().handshake({ host: '127.0.0.1', port: server.port }, signal);
  expect(third.tls.chain.length).toBe(1);
  expect(await Promise.all(busy)).toEqual(['failed', 'failed']);
});

describe('the certificate of a server that a check visits', () => {
  const never = new AbortController().signal;
  const fetchFrom = (port: number) => ({ url: targetOf(`https://127.0.0.1:${port}/`) });

  test('is that of the visit, during it and afterwards', async () => {
    await using server = await serveTls();
    await using egress = openLoopback([server.port]);
    const client = egress.client();
    const peer = { host: '127.0.0.1', port: server.port };
    const [hop, during] = await Promise.all([
      client.fetchHop(fetchFrom(server.port), never),
      client.handshake(peer, never),
    ]);
    const after = await client.handshake(peer, never);
    for (const { address, tls: seen } of [during, after]) {
      expect(address).toBe('127.0.0.1');
      expect(seen).toBe(hop.tls as TlsPeer);
    }
    // Another check asks for itself.
    const other = await egress.client().handshake(peer, never);
    expect(other.tls).not.toBe(during.tls);
    expect(other).toEqual(during);
  });

  test('is asked for alone if the visit is stopped before', async () => {
    await using server = await serveTls();
    await using egress = openLoopback([server.port]);
    const client = egress.client();
    const stopping = new AbortController();
    const visit = client.fetchHop(fetchFrom(server.port), stopping.signal);
    const asked = client.handshake({ host: '127.0.0.1', port: server.port }, never);
    stopping.abort();
    await expect(visit).rejects.toMatchObject({ code: 'aborted' });
    expect((await asked).tls.chain).toHaveLength(1);
  });

  test('fails as the visit does, and is asked for again afterwards', async () => {
    const server = net.createServer((socket) => socket.end('no TLS')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    await using egress = openLoopback([port]);
    const client = egress.client();
    const failure = { code: 'tls_handshake_failed' };
    const handshake = () => client.handshake({ host: '127.0.0.1', port }, never);
    const both = await Promise.allSettled([client.fetchHop(fetchFrom(port), never), handshake()]);
    for (const ended of both) expect(ended).toMatchObject({ status: 'rejected', reason: failure });
    await expect(handshake()).rejects.toMatchObject(failure);
    server.close();
  });
});
