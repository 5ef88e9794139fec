import { expect, test } from 'bun:test';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import { readConfig } from '#src/app/config.ts';
import { createPeerListeners } from '#src/app/listen/peer-listeners.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { type OpenedZone, openZone } from '#src/parts/feeds/zone/open-zone.ts';
import { DNS, RCODE, readDnsMessage } from '#src/parts/feeds/zone/protocol/message.ts';
import { untilSeen } from '#test/support/until.ts';
import { KEY, queryOf, rcodeOf, signedQuery, zoneOf } from '#test/support/zone-bytes.ts';

/** A name server that listens over UDP. */
async function openNameServer() {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    async next() {
      const [bytes] = (await once(socket, 'message')) as [Buffer];
      return bytes;
    },
    send: (bytes: Buffer, port: number) => socket.send(bytes, port, '127.0.0.1'),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** A version of the zone, as the feeds hand it out. */
function feedOf(names: readonly string[], serial: number) {
  const text = new Uint8Array(zoneOf(names, serial).text);
  return { sha256: '', changedMs: serial * 1000, text, packed: text, lines: 0, leftOut: new Map() };
}

/** Returns a function that counts answered queries by their outcome. */
async function countsOf(zone: OpenedZone): Promise<() => Promise<Readonly<Record<string, number>>>> {
  const registry = new Registry();
  await zone.measure(registry);
  return async () => {
    const counts = await registry.getSingleMetric('lurecheck_zone_queries_total')?.get();
    return Object.fromEntries((counts?.values ?? []).map(({ labels, value }) => [String(labels['outcome']), value]));
  };
}

test('notifies of each version, and answers over UDP what is signed', async () => {
  await using nameServer = await openNameServer();
  const { values } = readConfig({ flags: { 'zone-listen': ['127.0.0.1:0'] }, environment: {}, file: null });
  const peers = readConfig({
    flags: { 'zone-peers': [`127.0.0.1:${nameServer.port}`] },
    environment: {},
    file: null,
  }).values.zone_peers;
  let feed: ReturnType<typeof feedOf> | null = null;
  const events: Record<string, unknown>[] = [];
  const first = nameServer.next();
  await using zone = await openZone({
    running: () => ({ ...values, zone_peers: peers, zone_keys: [KEY] }),
    feeds: { pull: async () => feed },
    logger: createLogger('debug', (line) => void events.push(JSON.parse(line))),
  });
  const port = zone.endpoints[0]?.port ?? 0;
  const counts = await countsOf(zone);
  expect(zone.addresses.zone_urls).toEqual([`dns://127.0.0.1:${port}/rpz.lurecheck`]);
  feed = feedOf(['evil.example'], 1000);
  const serialIn = (notify: Buffer) => {
    const { tsig } = readDnsMessage(notify) ?? {};
    return notify.readUInt32BE((tsig?.start ?? 0) - 20);
  };
  expect(serialIn(await first)).toBe(1000);

  // What arrives may also be another attempt of the notification.
  const answerTo = async (query: Buffer) => {
    nameServer.send(query, port);
    for (;;) {
      const bytes = await nameServer.next();
      if (readDnsMessage(bytes)?.isResponse) return bytes;
    }
  };
  const nowSeconds = Math.floor(Date.now() / 1000);
  const signed = (type: number) => signedQuery(queryOf(type, 1), KEY, nowSeconds);
  expect(rcodeOf(await answerTo(signed(DNS.SOA)))).toBe(RCODE.NOERROR);
  expect(rcodeOf(await answerTo(signed(DNS.IXFR)))).toBe(RCODE.NOERROR);
  expect(rcodeOf(await answerTo(signed(DNS.AXFR)))).toBe(RCODE.REFUSED);
  expect(rcodeOf(await answerTo(queryOf(DNS.SOA)))).toBe(RCODE.REFUSED);
  expect(await counts()).toEqual({ serial: 2, refused: 1, unsigned: 1 });
  expect(events).toMatchObject([{ event: 'zone.signature_refused', peer: '127.0.0.1', fault: 'unsigned', refused: 1 }]);

  feed = feedOf(['evil.example', 'late.example'], 1001);
  for (let serial = 0; serial !== 1001; ) {
    const bytes = await nameServer.next();
    if (!readDnsMessage(bytes)?.isResponse) serial = serialIn(bytes);
  }
  feed = null;
  expect(rcodeOf(await answerTo(signed(DNS.SOA)))).toBe(RCODE.SERVFAIL);
});

test('queries without a signature use up no query of a name server that signs', async () => {
  await using nameServer = await openNameServer();
  const { values } = readConfig({ flags: { 'zone-listen': ['127.0.0.1:0'] }, environment: {}, file: null });
  await using zone = await openZone({
    running: () => ({ ...values, zone_keys: [KEY] }),
    feeds: { pull: async () => feedOf(['evil.example'], 1000) },
    logger: createLogger('error', () => {}),
  });
  const port = zone.endpoints[0]?.port ?? 0;
  const signed = signedQuery(queryOf(DNS.SOA), KEY, Math.floor(Date.now() / 1000));
  const counts = await countsOf(zone);
  // Datagrams that arrive together may be dropped.
  await untilSeen('many queries without a signature', async () => {
    for (let count = 0; count < 50; count++) nameServer.send(queryOf(DNS.SOA), port);
    return ((await counts())['unsigned'] ?? 0) >= 990;
  });
  await untilSeen('an answer to a signed query', async () => {
    for (let count = 0; count < 50; count++) nameServer.send(queryOf(DNS.SOA), port);
    nameServer.send(signed, port);
    return ((await counts())['serial'] ?? 0) > 0;
  });
});

test('an address that is not a peer is not admitted, which is logged once', () => {
  const events: unknown[] = [];
  const listeners = createPeerListeners({
    ...{ protocol: 'zone', maxConnections: 1, peers: () => [] },
    logger: { warn: (event, fields) => void events.push([event, fields]) },
    serve: () => ({ stop() {} }),
  });
  expect(['192.0.2.1', '192.0.2.2', '127.0.0.9', '::1', '::ffff:127.0.0.1'].map(listeners.admits)).toEqual([
    ...[false, false, true, true, true],
  ]);
  expect(events).toEqual([['zone.peer_refused', { peer: '192.0.2.1', refused: 1 }]]);
});
