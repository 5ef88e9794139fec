import { expect, test } from 'bun:test';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createEventLogger, type LogEvent } from '#src/core/base/logger.ts';
import { localSyslogMessage, syslogMessage } from '#src/parts/monitoring/syslog/message.ts';
import { startSyslog } from '#src/parts/monitoring/syslog/sender.ts';
import type { SyslogAddress } from '#src/parts/monitoring/syslog/settings.ts';
import { connectSyslog } from '#src/parts/monitoring/syslog/transport.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { freePort } from '#test/support/free-port.ts';
import { ANY_PORT, listen } from '#test/support/listen.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { readSyslogMessage } from './read-message.ts';
import { datagramServer, streamServer } from './servers.ts';

const HOST = ANY_PORT.address;

/** A sender to a server, and what it tells of it. */
function senderTo(address: Partial<SyslogAddress>, { maxWaiting = 1000, authorities = [] as string[] } = {}) {
  const told: LogEvent[] = [];
  const whole = { way: 'tcp', host: HOST, port: 0, caFile: null, ...address } as const;
  const sender = startSyslog({
    connect: () => connectSyslog(whole, authorities),
    origin: { hostname: 'box-7', processId: 1 },
    write: whole.way === 'unix' ? localSyslogMessage : syslogMessage,
    logger: createEventLogger('debug', (event) => told.push(event)),
    maxWaiting,
    pauseMs: 1,
  });
  const logger = sender.logger(() => 'info');
  return {
    told,
    status: sender,
    tell: (...numbers: number[]) => {
      for (const number of numbers) logger.info('told', { number, text: 'ü€🎣' });
    },
    logger,
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}

const numbersIn = (messages: readonly string[]) =>
  messages
    .map((message) => readSyslogMessage(message).values)
    .flatMap(({ number }) => (number ? [Number(number)] : []));

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

test('over TCP messages are framed by their length in bytes, and arrive in order', async () => {
  await using server = await streamServer(null);
  await using sender = senderTo({ port: server.port });
  sender.logger.debug('milder than its level');
  sender.tell(...upTo(1000));
  await until(() => server.messages.length === 1000);
  expect(numbersIn(server.messages)).toEqual(upTo(1000));
  expect(sender.status).toMatchObject({ isUp: true, waiting: 0, sent: 1000, dropped: 0 });
  expect(sender.told).toEqual([]);
});

test('over UDP each message is a datagram', async () => {
  await using server = await datagramServer();
  await using sender = senderTo({ way: 'udp', port: server.port });
  sender.tell(1, 2, 3);
  await until(() => server.messages.length === 3);
  expect(numbersIn(server.messages)).toEqual([1, 2, 3]);
});

test('at a Unix stream socket each message ends with a zero byte, as in the C library', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'log');
  const taken: Buffer[] = [];
  const server = createServer((socket) => socket.on('data', (chunk) => taken.push(Buffer.from(chunk))));
  using _closing = { [Symbol.dispose]: () => void server.close() };
  await once(server.listen(path), 'listening');
  await using sender = senderTo({ way: 'unix', host: path });
  sender.tell(...upTo(200));
  const messages = () => Buffer.concat(taken).toString().split('\0').slice(0, -1);
  await until(() => messages().length === 200);
  expect(messages().map((message) => Number(/ number="(\d+)"/.exec(message)?.[1]))).toEqual(upTo(200));
  expect(messages()[0]).toMatch(/^<30>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d lurecheck\[1\]: told number="/);
});

test('over TLS messages are sent only if a trusted authority has signed the name of the server', async () => {
  const authority = createCertificateAuthority(Date.now());
  await using server = await streamServer(authority.issue({ names: ['localhost', HOST] }));
  await using other = await streamServer(authority.issue({ names: ['other.example'] }));
  const stranger = createCertificateAuthority(Date.now());
  for (const [port, pem] of [
    [server.port, stranger.pem],
    [other.port, authority.pem],
  ] as const) {
    await using sender = senderTo({ way: 'tls', host: 'localhost', port }, { authorities: [pem] });
    sender.tell(1);
    await until(() => sender.told.length > 0);
    expect(sender.told).toMatchObject([{ level: 'warn', event: 'syslog.away' }]);
  }
  for (const host of ['localhost', HOST]) {
    await using sender = senderTo({ way: 'tls', host, port: server.port }, { authorities: [authority.pem] });
    const before = server.messages.length;
    sender.tell(7);
    await until(() => server.messages.length > before);
  }
  expect(numbersIn(server.messages)).toEqual([7, 7]);
  expect(other.messages).toEqual([]);
});

test('while the server is unavailable messages queue up to a bound; dropped ones are counted and reported later', async () => {
  const port = await freePort();
  await using sender = senderTo({ port }, { maxWaiting: 10 });
  sender.tell(...upTo(25));
  await until(() => sender.told.length > 0);
  expect(sender.status).toMatchObject({ isUp: false, waiting: 10, sent: 0, dropped: 15 });
  await using server = await streamServer(null, { address: HOST, port });
  await until(() => server.messages.length === 11);
  expect(numbersIn(server.messages)).toEqual(upTo(10));
  const last = readSyslogMessage(server.messages.at(-1) ?? '');
  expect([last.header[5], last.values]).toEqual(['syslog.back', { dropped: '15' }]);
  expect(sender.told).toMatchObject([
    { level: 'warn', event: 'syslog.away', fields: { problem: expect.stringContaining('ECONNREFUSED') } },
    { level: 'info', event: 'syslog.back', fields: { dropped: 15 } },
  ]);
  expect(sender.status).toMatchObject({ isUp: true, waiting: 0, sent: 11, dropped: 15 });
});

test('the sender reconnects to a restarted server, and loses no later message', async () => {
  const port = await freePort();
  await using sender = senderTo({ port });
  {
    await using server = await streamServer(null, { address: HOST, port });
    sender.tell(1);
    await until(() => server.messages.length === 1);
  }
  await until(() => {
    sender.tell(0);
    return !sender.status.isUp;
  });
  sender.tell(2, 3);
  await using server = await streamServer(null, { address: HOST, port });
  await until(() => server.messages.length > 2 && sender.status.waiting === 0);
  expect(numbersIn(server.messages).filter((number) => number > 0)).toEqual([2, 3]);
});

test('a server that reads nothing blocks no logging, and memory stays bounded', async () => {
  await using server = await listen(
    createServer((socket) => socket.pause()),
    ANY_PORT,
  );
  await using sender = senderTo({ port: server.port }, { maxWaiting: 500 });
  const long = { text: 'x'.repeat(1024) };
  // More than the system holds for a connection.
  await until(() => {
    for (let count = 0; count < 500; count++) sender.logger.info('told', long);
    return sender.status.dropped > 100_000;
  });
  expect(sender.status.waiting).toBeLessThanOrEqual(500);
});
