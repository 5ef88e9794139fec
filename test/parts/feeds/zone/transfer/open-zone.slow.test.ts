import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { readConfig } from '#src/app/config.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { openZone } from '#src/parts/feeds/zone/open-zone.ts';
import { DNS } from '#src/parts/feeds/zone/protocol/message.ts';
import { repeatedLongestTurn } from '#test/support/longest-turn.ts';
import { untilSeen } from '#test/support/until.ts';
import { KEY, queryOf, signedQuery, zoneOf } from '#test/support/zone-bytes.ts';
import type { TransferCounts, TransfersTask } from './zone-transfers.ts';

const ENTRIES = 200_000;

/** Longest turn of the serving thread, in milliseconds of processor time: no request waits longer for a transfer. */
const LONGEST_MS = 50;

const NOW_SECONDS = Math.floor(Date.now() / 1000);

/** Opens the zone transfer of a zone with names. */
async function openZoneOf(names: readonly string[]) {
  const { values } = readConfig({ flags: { 'zone-listen': ['127.0.0.1:0'] }, environment: {}, file: null });
  const { text } = zoneOf(names);
  const bytes = new Uint8Array(text);
  const feed = { sha256: '', changedMs: 0, text: bytes, packed: bytes, lines: 0, leftOut: new Map() };
  const events: string[] = [];
  const zone = await openZone({
    running: () => ({ ...values, zone_keys: [KEY] }),
    feeds: { pull: async () => feed },
    logger: createLogger('debug', (line) => void events.push(line)),
  });
  return { zone, events, port: zone.endpoints[0]?.port ?? 0 };
}

async function transferAtOnce(task: TransfersTask): Promise<TransferCounts[]> {
  const worker = new Worker(new URL('zone-transfers.ts', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<TransferCounts[]>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage(task);
  return await promise.finally(() => worker.terminate());
}

test(`signed transfers of ${ENTRIES} entries, several at once, keep no request waiting`, async () => {
  const names = Array.from({ length: ENTRIES }, (_, at) => `${((at * 7919) % 999_983).toString(36)}n${at}.example`);
  const { zone, port } = await openZoneOf(names);
  await using _ = zone;
  const query = signedQuery(queryOf(DNS.AXFR), KEY, NOW_SECONDS).toString('base64');
  // What is measured is how the zone is sent, not how the first transfer is compiled.
  await transferAtOnce({ port, query, count: 1 });
  const { result, longestMs } = await repeatedLongestTurn(LONGEST_MS, () => transferAtOnce({ port, query, count: 8 }));
  for (const { messages, records, signed } of result) {
    expect(records).toBe(2 * ENTRIES + 3);
    expect(signed).toBe(messages);
  }
  expect(longestMs).toBeLessThan(LONGEST_MS);
});

/** Transfers that nobody reads: one name server may begin 60 per minute. */
const STALLED = 40;

/** Memory that these transfers of 12 MB each may take, and the thread of a name server, in bytes. */
const MOST_BYTES = 200 * 2 ** 20;

test('name servers that do not read take no memory, and no more connections than their bound', async () => {
  const { zone, events, port } = await openZoneOf(Array.from({ length: ENTRIES }, (_, at) => `n${at}.example`));
  await using _ = zone;
  const query = signedQuery(queryOf(DNS.AXFR), KEY, NOW_SECONDS);
  const framed = Buffer.concat([Buffer.of(query.length >> 8, query.length & 0xff), query]);
  const before = process.memoryUsage.rss();
  const from = (peer: number) => connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${peer}` });
  const sockets = Array.from({ length: 100 }, (_, at) => from(2 + (at % 5)).pause());
  for (const [at, socket] of sockets.entries()) socket.on('error', () => {}).write(at < STALLED ? framed : '');
  await untilSeen('all connections', () => zone.connections() === 100);
  const isRefused = async (peer: number) => {
    const refused = from(peer).on('error', () => {});
    await new Promise((resolve) => refused.once('close', resolve));
    expect(refused.bytesRead).toBe(0);
  };
  await isRefused(9);
  expect(events.map((line) => JSON.parse(line))).toMatchObject([{ event: 'zone.connections_refused', refused: 1 }]);

  // Another name server is served as before, once there is room for it.
  sockets.pop()?.destroy();
  await untilSeen('room', () => zone.connections() === 99);
  // There is room for others, and none for one that has its share.
  await isRefused(2);
  const [counts] = await transferAtOnce({ port, query: query.toString('base64'), count: 1 });
  expect(counts?.records).toBe(2 * ENTRIES + 3);
  expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_BYTES);
  for (const socket of sockets) socket.destroy();
});
