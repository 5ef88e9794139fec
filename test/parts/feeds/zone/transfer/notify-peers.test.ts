import { expect, test } from 'bun:test';
import { createPeerNotifier, type NotifiedPlace } from '#src/parts/feeds/zone/notify-peers.ts';
import { readDnsMessage } from '#src/parts/feeds/zone/protocol/message.ts';
import { type TsigKey, zonePeer } from '#src/parts/feeds/zone/protocol/settings.ts';
import { signMessage } from '#src/parts/feeds/zone/protocol/tsig.ts';
import { until } from '#test/support/until.ts';
import { KEY, NOW_SECONDS, zoneOf } from '#test/support/zone-bytes.ts';

const OTHER: TsigKey = { ...KEY, name: 'other' };

/** Time after which the first attempt is repeated, in milliseconds, if the test acts between two attempts. */
const UNHURRIED_MS = 100;

/** A notifier that by default tries again at once, with what it sent, in order. */
function openNotifier(peers: readonly string[], keys: readonly TsigKey[] = [], againMs = 1) {
  const sent: { bytes: Buffer; to: NotifiedPlace }[] = [];
  const outcomes: string[] = [];
  const events: unknown[] = [];
  const notifier = createPeerNotifier({
    peers: () => peers.flatMap((text) => zonePeer.read([text]) ?? []),
    keys: () => keys,
    send: (bytes, to) => void sent.push({ bytes, to }),
    onNotified: (outcome) => void outcomes.push(outcome),
    clock: { now: () => NOW_SECONDS * 1000 },
    logger: { warn: (event, fields) => void events.push([event, fields]) },
    againMs,
  });
  return { notifier, sent, outcomes, events };
}

/** The acknowledgement of a notification by a secondary that has a key. */
function acknowledged({ bytes }: { readonly bytes: Buffer }, key: TsigKey | null): Buffer {
  const notify = readDnsMessage(bytes);
  if (notify === null) throw new Error('the notification cannot be read');
  const head = Buffer.concat([bytes.subarray(0, 12), notify.question]);
  head[2] = (head[2] ?? 0) | 0x80;
  head.fill(0, 6, 12);
  const prior = notify.tsig?.mac ?? null;
  return key === null ? head : signMessage(head, { key, prior, timeSigned: NOW_SECONDS }).bytes;
}

test('notifies each single name server at its port, and no block', () => {
  const { notifier, sent } = openNotifier(['192.0.2.53', '[2001:db8::53]:5300', '192.0.2.0/24', '192.0.2.54/32']);
  using _ = notifier;
  notifier.notify(zoneOf([]));
  expect(sent.map(({ to }) => to)).toEqual([
    { address: '192.0.2.53', port: 53 },
    { address: '2001:db8::53', port: 5300 },
  ]);
  const { bytes = Buffer.alloc(0) } = sent[0] ?? {};
  // Operation NOTIFY with an authoritative answer; one question and one record, which ends with the five numbers of its serial.
  expect([bytes.toString('hex', 2, 12), bytes.readUInt32BE(bytes.length - 20)]).toEqual([
    '24000001000100000000',
    NOW_SECONDS,
  ]);
});

test('ends at an acknowledgement of any attempt, from that name server', async () => {
  const { notifier, sent, outcomes, events } = openNotifier(['192.0.2.53'], [], UNHURRIED_MS);
  using _ = notifier;
  notifier.notify(zoneOf([]));
  await until(() => sent.length >= 2);
  const [first] = sent;
  if (first === undefined) throw new Error('nothing was sent');
  for (const from of [
    { address: '192.0.2.54', port: 53 },
    { address: '192.0.2.53', port: 54 },
  ])
    notifier.receive(acknowledged(first, null), from);
  expect(outcomes).toEqual([]);
  notifier.receive(acknowledged(first, null), { address: '::ffff:192.0.2.53', port: 53 });
  notifier.receive(acknowledged(first, null), first.to);
  expect([outcomes, events]).toEqual([['acknowledged'], []]);
});

test('signs attempts with one key after the other, and believes only a signature by the same', async () => {
  const { notifier, sent, outcomes } = openNotifier(['192.0.2.53'], [OTHER, KEY], UNHURRIED_MS);
  using _ = notifier;
  notifier.notify(zoneOf([]));
  await until(() => sent.length >= 3);
  const keys = sent.slice(0, 3).map(({ bytes }) => readDnsMessage(bytes)?.tsig?.keyName);
  expect(keys).toEqual(['other', 'lurecheck', 'other']);
  const [, second] = sent;
  if (second === undefined) throw new Error('nothing was sent');
  for (const key of [null, OTHER]) notifier.receive(acknowledged(second, key), second.to);
  expect(outcomes).toEqual([]);
  notifier.receive(acknowledged(second, KEY), second.to);
  expect(outcomes).toEqual(['acknowledged']);
});

test('gives up after six attempts, and begins again with the next version', async () => {
  const { notifier, sent, outcomes, events } = openNotifier(['192.0.2.53:5300']);
  using _ = notifier;
  notifier.notify(zoneOf([]));
  await until(() => outcomes.length > 0);
  expect([sent.length, outcomes]).toEqual([6, ['failed']]);
  expect(events).toEqual([['zone.notify_failed', { peer: '192.0.2.53:5300' }]]);
  notifier.notify(zoneOf([], NOW_SECONDS + 1));
  notifier.notify(zoneOf([], NOW_SECONDS + 2));
  await until(() => outcomes.length >= 2);
  // One attempt for the version that was replaced.
  expect(sent.length).toBe(13);
});
