import { expect, test } from 'bun:test';
import { isAcknowledged, writeNotify } from '#src/parts/feeds/zone/notify-peers.ts';
import { answerQuery } from '#src/parts/feeds/zone/protocol/answer-query.ts';
import { DNS, readDnsMessage } from '#src/parts/feeds/zone/protocol/message.ts';
import { mutatedBytes } from '#test/support/mutated-bytes.ts';
import { createRandom, type Random } from '#test/support/random.ts';
import { KEY, NOW_SECONDS, queryOf, signedQuery, ZONE, zoneOf } from '#test/support/zone-bytes.ts';
import VECTORS from './tsig-vectors.json' with { type: 'json' };

const SHORT_ZONE = zoneOf(['evil.example']);
const NOTIFY = writeNotify(SHORT_ZONE, { id: 0x1234, key: KEY, nowSeconds: NOW_SECONDS });

const SAMPLES = [
  ...[DNS.SOA, DNS.AXFR, DNS.IXFR].flatMap((type) => [queryOf(type, 1), signedQuery(queryOf(type))]),
  Buffer.from(VECTORS.transfer.request, 'hex'),
  Buffer.from(VECTORS.notify.answer, 'hex'),
  NOTIFY.bytes,
];

/** The signatures of the samples: without one of them, no input can be signed. */
const MACS = SAMPLES.flatMap((sample) => readDnsMessage(sample)?.tsig?.mac ?? []);

const PIECES = [
  '\0',
  '\u00c0\u000c',
  '\u00c0\0',
  '\u003f',
  '\u0000\u00fa',
  '\0\u0029',
  'ÿÿ',
  'rpz',
  '\0\0\0\u0001',
  '\t',
];

const mutated = (random: Random) =>
  mutatedBytes(random, { samples: SAMPLES, changes: 4, piece: (from) => Buffer.from(from.pick(PIECES), 'latin1') });

/** Inputs of a whole run, and the processor time after which a busy or slow host ends it, in milliseconds. */
const INPUTS = 1_000_000;
const MOST_CPU_MS = 60_000;

/** Outcomes in which a client sees the zone. */
const SHOWN: readonly (string | undefined)[] = ['serial', 'unchanged', 'transfer'];

test('a million damaged queries are answered, refused or ignored: none throws, grows, or shows the zone without its key', () => {
  const random = createRandom(306);
  const start = process.cpuUsage();
  const context = { zoneName: ZONE, zone: SHORT_ZONE, nowSeconds: () => NOW_SECONDS, mayTransfer: () => true };
  let inputs = 0;
  for (; inputs < INPUTS; inputs++) {
    const bytes = mutated(random);
    const [transport, keys] = [random.pick(['udp', 'tcp'] as const), random.below(2) ? [KEY] : []];
    const answer = answerQuery(bytes, { ...context, transport, keys });
    const length = [...(answer?.messages ?? [])].reduce((sum, message) => sum + message.length, 0);
    const described = () => JSON.stringify(bytes.toString('latin1'));
    if (SHOWN.includes(answer?.outcome) ? length > 1000 : length > bytes.length + 120)
      throw new Error(`an answer grew: ${described()}`);
    isAcknowledged(bytes, NOTIFY, NOW_SECONDS);
    if (keys.length > 0 && SHOWN.includes(answer?.outcome) && !MACS.some((mac) => bytes.includes(mac)))
      throw new Error(`the zone was shown: ${described()}`);
    if (inputs % 1000 === 0) {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1000 > MOST_CPU_MS) break;
    }
  }
  expect(inputs).toBeGreaterThan(INPUTS / 20);
});
