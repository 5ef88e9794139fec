import { expect, test } from 'bun:test';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { type TraceStep, traceTo } from '#src/core/base/traced.ts';
import { createEgressCompartment, type EgressCompartment } from '#src/network/egress/compartment.ts';
import { createIdleConnections } from '#src/network/egress/connect/idle-connections.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import { EGRESS_SETTINGS, type EgressSettings } from '#src/network/egress/settings.ts';
import { createCertificateAuthority, createSelfSigned } from '#test/support/certificate-authority.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';
import { openLoopback } from './loopback.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n';
const OK = `${HEAD}\r\nhi`;
const never = new AbortController().signal;
const authority = createCertificateAuthority(Date.now());
const leaf = authority.issue({ subject: '127.0.0.1' });

/** Answers the requests of each connection; `answer` gets the numbers of the connection and of its request, from 1. */
async function serve(answer: (socket: Socket, connection: number, request: number) => void, certificate = leaf) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  const server = tls.createServer({ key: certificate.keyPem, cert: certificate.pem }, (socket) => {
    const connection = ++connections;
    let request = 0;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      requests.push(bytes.toString('latin1'));
      answer(socket, connection, ++request);
    });
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    async open(count: number) {
      while (sockets.size !== count) await Bun.sleep(1);
    },
    sendUnasked: () => [...sockets].map((socket) => socket.write('more')),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const settings = defaultsOf(EGRESS_SETTINGS);
const newCompartment = (bounds: Partial<EgressSettings> = {}) =>
  createEgressCompartment({ ...settings, ...bounds }, systemClock);

/** Runs with an egress for one server; returns what the answers of its clients are. */
function openFor(port: number, more: Partial<EgressSettings> = {}) {
  return openLoopback([port], more, [authority.pem]);
}

async function ask(client: EgressClient, port: number, more: object = {}): Promise<string> {
  const url = targetOf(`https://127.0.0.1:${port}/`);
  const request = { url, timeoutMs: PATIENT_MS, trustRequired: true, keepOpen: true, ...more };
  const { body, wireBytes } = await client.fetchHop(request, never);
  return `${Buffer.from(body)}${wireBytes > 500 ? ' after a handshake' : ''}`;
}

/** How many connections two checks of a compartment open, one after the other. */
async function connectionsOfTwo(answer: Parameters<typeof serve>[0], pause = () => Promise.resolve()) {
  await using server = await serve(answer);
  await using egress = openFor(server.port);
  using idle = newCompartment().idleConnections;
  const compartment = { ...newCompartment(), idleConnections: idle };
  const first = await ask(egress.open(compartment), server.port);
  await pause();
  const second = await ask(egress.open(compartment), server.port);
  expect([first, second].map((text) => text.slice(0, 1))).toEqual(['h', 'h']);
  return server.connections();
}

test('a connection is left open for the next check of the compartment alone, and the trace states it', async () => {
  await using server = await serve((socket) => socket.write(OK));
  await using egress = openFor(server.port);
  const [one, other] = [newCompartment(), newCompartment()];
  const steps: TraceStep[] = [];
  expect(await ask(egress.open(one), server.port)).toBe('hi after a handshake');
  for (let i = 0; i < 20; i++) {
    expect(
      await ask(
        egress.open(
          one,
          traceTo((step) => steps.push(step), systemClock),
        ),
        server.port,
      ),
    ).toBe('hi');
  }
  expect(steps.slice(0, 2).map(({ step, detail }) => `${step}: ${detail}`)).toEqual([
    'connection: left open by an earlier request',
    'http: 200, 2 bytes',
  ]);
  expect(server.connections()).toBe(1);
  expect(server.requests[0]).toContain('\r\nConnection: keep-alive\r\n');
  await ask(egress.open(other), server.port);
  expect(server.connections()).toBe(2);
  // A request of another kind neither uses the connection nor leaves one.
  await ask(egress.open(one), server.port, { keepOpen: false });
  expect(server.requests.at(-1)).toContain('\r\nConnection: close\r\n');
  expect(server.connections()).toBe(3);
  await server.open(1);
  for (const { idleConnections } of [one, other]) idleConnections[Symbol.dispose]();
  await server.open(0);
  await ask(egress.open(one), server.port);
  await server.open(0);
});

test.each([
  ['has a length', OK],
  ['is chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'],
])('is left open if the answer %s', async (_, answer) => {
  expect(await connectionsOfTwo((socket) => socket.write(answer))).toBe(1);
});

test.each([
  ['says close', `${HEAD}Connection: Close\r\n\r\nhi`],
  ['is of HTTP/1.0', OK.replace('1.1', '1.0')],
  ['is followed by bytes', `${OK}x`],
  ['is chunked and followed by bytes', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\nx'],
  [
    'has two framings',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
  ],
])('is closed if the answer %s', async (_, answer) => {
  expect(await connectionsOfTwo((socket) => socket.write(answer))).toBe(2);
});

test('is closed if the answer is cut short, by the server or by a limit', async () => {
  expect(await connectionsOfTwo((socket) => socket.end(OK.replace('Length: 2', 'Length: 3')))).toBe(2);
  await using server = await serve((socket) => socket.write(OK));
  await using egress = openFor(server.port);
  using idle = createIdleConnections();
  const compartment = { ...newCompartment(), idleConnections: idle };
  expect(await ask(egress.open(compartment), server.port, { bodyBytes: 1 })).toStartWith('h');
  await server.open(0);
});

test('is replaced without a failure if the server closes or resets it behind an answer or at the next request', async () => {
  expect(await connectionsOfTwo((socket) => socket.end(OK))).toBe(2);
  expect(
    await connectionsOfTwo(
      (socket) => socket.write(OK, () => setTimeout(() => socket.destroy(), 20)),
      () => Bun.sleep(60),
    ),
  ).toBe(2);
  for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const answer = (socket: Socket, _: number, request: number) => (request === 1 ? socket.write(OK) : socket[end]());
    expect(await connectionsOfTwo(answer)).toBe(2);
  }
});

test('is asked once more, not again and again, and not if an answer had begun', async () => {
  await using server = await serve((socket, connection) => (connection === 1 ? socket.write(OK) : socket.destroy()));
  await using egress = openFor(server.port);
  using idle = createIdleConnections();
  const compartment = { ...newCompartment(), idleConnections: idle };
  await expect(ask(egress.open(compartment), server.port)).resolves.toBe('hi after a handshake');
  idle[Symbol.dispose]();
  await expect(ask(egress.open(compartment), server.port)).rejects.toMatchObject({ code: 'connection_reset' });
  expect(server.connections()).toBe(2);
  const begun = (socket: Socket, _: number, request: number) =>
    request === 1 ? socket.write(OK) : socket.end('HTTP/1.1 ');
  await expect(connectionsOfTwo(begun)).rejects.toMatchObject({ code: 'connection_reset' });
});

test('is closed by bytes that nobody asked for, and after a time', async () => {
  await using server = await serve((socket) => socket.write(OK));
  await using egress = openFor(server.port);
  const compartment = newCompartment();
  await ask(egress.open(compartment), server.port);
  await server.open(1);
  server.sendUnasked();
  await server.open(0);
  using brief = createIdleConnections(20);
  await ask(egress.open({ ...compartment, idleConnections: brief }), server.port);
  await server.open(0);
  expect(server.connections()).toBe(2);
});

test('is not used if the policy denies its address meanwhile', async () => {
  await using server = await serve((socket) => socket.write(OK));
  await using egress = openFor(server.port);
  const compartment = newCompartment();
  using _idle = compartment.idleConnections;
  await ask(egress.open(compartment), server.port);
  egress.denySelf({ address: '127.0.0.1', port: server.port });
  await expect(ask(egress.open(compartment), server.port)).rejects.toMatchObject({ denied: 'self' });
  const deny = parseCidr('127.0.0.1/32');
  if (typeof deny === 'string') throw new Error(deny);
  await using strict = openFor(server.port, { egress_deny: [deny] });
  await expect(ask(strict.open(compartment), server.port)).rejects.toMatchObject({ denied: 'configured' });
  expect(server.requests).toHaveLength(1);
});

test('is closed by bytes that come behind the answer', async () => {
  const answer = (socket: Socket) => socket.write(OK, () => setTimeout(() => socket.write('x'), 10));
  expect(await connectionsOfTwo(answer, () => Bun.sleep(60))).toBe(2);
});

test('is left open through a proxy as well', async () => {
  await using server = await serve((socket) => socket.write(OK));
  let tunnels = 0;
  const proxy = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      tunnels++;
      const target = net.connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      target.on('error', () => {});
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  await using egress = openFor(server.port, { egress_proxy: { address: '127.0.0.1', port } });
  const compartment = newCompartment();
  expect(await ask(egress.open(compartment), server.port)).toBe('hi after a handshake');
  expect(await ask(egress.open(compartment), server.port)).toBe('hi');
  expect([tunnels, server.connections()]).toEqual([1, 1]);
  compartment.idleConnections[Symbol.dispose]();
  await server.open(0);
  proxy.close();
});

test('is never trusted more than its handshake was', async () => {
  await using server = await serve(
    (socket) => socket.write(OK),
    createSelfSigned(Date.now(), { subject: '127.0.0.1' }),
  );
  await using egress = openFor(server.port);
  const compartment = newCompartment();
  using _idle = compartment.idleConnections;
  expect(await ask(egress.open(compartment), server.port, { trustRequired: false })).toStartWith('hi');
  await expect(ask(egress.open(compartment), server.port)).rejects.toMatchObject({ code: 'tls_handshake_failed' });
  expect(server.requests).toHaveLength(1);
});

test('gives way to other connections to its place, and is closed with the check that uses it', async () => {
  await using server = await serve((socket, _, request) => request === 1 && socket.write(OK));
  await using egress = openFor(server.port);
  const compartment: EgressCompartment = newCompartment({ connections_per_address: 1 });
  using _idle = compartment.idleConnections;
  await ask(egress.open(compartment), server.port);
  await egress.open(compartment).handshake({ host: '127.0.0.1', port: server.port }, never);
  await server.open(0);
  await ask(egress.open(compartment), server.port);
  const stopping = new AbortController();
  const url = targetOf(`https://127.0.0.1:${server.port}/`);
  const asked = egress.open(compartment).fetchHop({ url, keepOpen: true }, stopping.signal);
  while (server.requests.length < 3) await Bun.sleep(1);
  stopping.abort();
  await expect(asked).rejects.toMatchObject({ code: 'aborted' });
  await server.open(0);
  await ask(egress.open(compartment), server.port);
});

test('is one of at most eight, of which the oldest is closed', async () => {
  const servers = await Promise.all(Array.from({ length: 9 }, () => serve((socket) => socket.write(OK))));
  await using egress = openLoopback(
    servers.map(({ port }) => port),
    {},
    [authority.pem],
  );
  // Each server has its own address and site here, since those of one place close each other.
  using idle = createIdleConnections();
  for (const [i, { port }] of servers.entries()) {
    const closeAt = () => {};
    await ask(egress.open({ ...newCompartment(), idleConnections: { ...idle, closeAt } }), port);
    await servers[0]?.open(i < 8 ? 1 : 0);
  }
  for (const server of servers) await server[Symbol.asyncDispose]();
});
