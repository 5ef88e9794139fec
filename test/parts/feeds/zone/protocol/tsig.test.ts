import { describe, expect, test } from 'bun:test';
import { isAcknowledged, writeNotify } from '#src/parts/feeds/zone/notify-peers.ts';
import { DNS, RCODE, readDnsMessage } from '#src/parts/feeds/zone/protocol/message.ts';
import { TSIG_ALGORITHMS, type TsigAlgorithm, type TsigKey } from '#src/parts/feeds/zone/protocol/settings.ts';
import { checkTsig, signMessage, TSIG_ERROR } from '#src/parts/feeds/zone/protocol/tsig.ts';
import {
  answersIn,
  ask,
  KEY,
  LONG_ZONE,
  NOW_SECONDS,
  queryOf,
  rcodeOf,
  signedQuery,
} from '#test/support/zone-bytes.ts';
import VECTORS from './tsig-vectors.json' with { type: 'json' };

const bytesOf = (hex: string) => Buffer.from(hex, 'hex');
const tsigOf = (message: Buffer | undefined) => (message && readDnsMessage(message))?.tsig ?? null;
const keyWith = (algorithm: TsigAlgorithm): TsigKey => ({ ...KEY, algorithm });
const OTHER: TsigKey = { ...KEY, name: 'other', secret: Buffer.from('f'.repeat(32)) };

describe('signatures that another implementation computed', () => {
  test.each(Object.entries(VECTORS.requests))('are accepted on a request by %s', (algorithm, hex) => {
    const keys = (Object.keys(TSIG_ALGORITHMS) as TsigAlgorithm[]).map(keyWith);
    const answer = ask(bytesOf(hex), { keys: keys.filter((key) => key.algorithm === algorithm) });
    expect(answer?.outcome).toBe('serial');
    // The same request, signed here.
    expect(tsigOf(signedQuery(queryOf(DNS.SOA), keyWith(algorithm as TsigAlgorithm)))?.mac).toEqual(
      tsigOf(bytesOf(hex))?.mac ?? Buffer.alloc(0),
    );
  });

  test('are those of a serial, and of each message of a transfer, which rests on the one before', () => {
    const serial = ask(bytesOf(VECTORS.serial.request), { keys: [KEY] })?.messages[0];
    expect(tsigOf(serial)?.mac.toString('hex')).toBe(VECTORS.serial.mac);
    const transfer = ask(bytesOf(VECTORS.transfer.request), { keys: [KEY] })?.messages ?? [];
    expect(transfer.map((message) => tsigOf(withoutAnswers(message))?.mac.toString('hex'))).toEqual(
      VECTORS.transfer.macs,
    );
  });

  test('are that of an answer to a request that is too old, which has the time of this host', () => {
    const answer = ask(bytesOf(VECTORS.late.request), { keys: [KEY] });
    const tsig = tsigOf(answer?.messages[0]);
    expect([answer?.outcome, rcodeOf(answer?.messages[0])]).toEqual(['bad_time', RCODE.NOTAUTH]);
    expect(tsig).toMatchObject({ error: TSIG_ERROR.BADTIME, timeSigned: NOW_SECONDS - 301 });
    expect(tsig?.mac.toString('hex')).toBe(VECTORS.late.mac);
    expect(tsig?.other.readUIntBE(0, 6)).toBe(NOW_SECONDS);
  });

  test('are that of a notification, and of its answer', () => {
    const notify = writeNotify(LONG_ZONE, { id: 0x1234, key: KEY, nowSeconds: NOW_SECONDS });
    const sent = { ...notify, mac: bytesOf(VECTORS.notify.request_mac) };
    const answer = bytesOf(VECTORS.notify.answer);
    expect(isAcknowledged(answer, sent, NOW_SECONDS)).toBe(true);
    expect(isAcknowledged(answer, { ...sent, id: 1 }, NOW_SECONDS)).toBe(false);
    expect(isAcknowledged(answer, { ...sent, key: OTHER }, NOW_SECONDS)).toBe(false);
    expect(isAcknowledged(answer, { ...sent, mac: Buffer.alloc(32) }, NOW_SECONDS)).toBe(false);
    expect(isAcknowledged(answer, sent, NOW_SECONDS + 301)).toBe(false);
    for (let at = 0; at < answer.length; at++)
      expect(isAcknowledged(answer.subarray(0, at), sent, NOW_SECONDS)).toBe(false);
  });
});

/** A message of a transfer whose records are counted as none, for a reader of short messages. */
function withoutAnswers(message: Buffer): Buffer {
  const tsigLength = 11 + 10 + 13 + 16 + 32;
  const head = Buffer.from(message.subarray(0, 12 + 15 + 4));
  head.writeUInt16BE(0, 6);
  return Buffer.concat([head, message.subarray(message.length - tsigLength)]);
}

describe('a signed request', () => {
  const query = signedQuery(queryOf(DNS.AXFR));

  test('is refused with another secret, name or algorithm, without a signature and a record', () => {
    const cases = [
      [{ ...KEY, secret: OTHER.secret }, 'bad_signature', TSIG_ERROR.BADSIG],
      [OTHER, 'bad_key', TSIG_ERROR.BADKEY],
      [keyWith('hmac-sha512'), 'bad_key', TSIG_ERROR.BADKEY],
    ] as const;
    for (const [key, outcome, error] of cases) {
      const answer = ask(query, { keys: [key] });
      const [message] = answer?.messages ?? [];
      expect([answer?.outcome, rcodeOf(message), answersIn(message)]).toEqual([outcome, RCODE.NOTAUTH, 0]);
      expect(tsigOf(message)).toMatchObject({ error, mac: Buffer.alloc(0), keyName: 'lurecheck' });
    }
    expect(ask(query)?.outcome).toBe('bad_key');
  });

  test('is accepted with any of several keys, and again as long as its time allows', () => {
    for (const nowSeconds of [NOW_SECONDS - 300, NOW_SECONDS, NOW_SECONDS + 300]) {
      const answer = ask(query, { keys: [OTHER, KEY], nowSeconds: () => nowSeconds });
      expect(answer?.outcome).toBe('transfer');
    }
    for (const nowSeconds of [NOW_SECONDS - 301, NOW_SECONDS + 301])
      expect(ask(query, { keys: [KEY], nowSeconds: () => nowSeconds })?.outcome).toBe('bad_time');
  });

  test('may shorten the time for which it is valid, and not lengthen it', () => {
    const withFudge = (fudge: number) => {
      const { bytes } = signMessage(queryOf(DNS.SOA), { key: KEY, prior: null, timeSigned: NOW_SECONDS });
      const tsig = tsigOf(bytes);
      if (tsig === null) throw new Error('there is no signature');
      const { key, error } = checkTsig(bytes, { ...tsig, fudge }, [KEY], NOW_SECONDS);
      return [key === KEY, error];
    };
    // The fudge is signed, too.
    expect(withFudge(300)).toEqual([true, TSIG_ERROR.NONE]);
    expect(withFudge(3000)).toEqual([true, TSIG_ERROR.BADSIG]);
  });

  test('is refused if any of its bits is another', () => {
    let accepted = 0;
    for (let bit = 0; bit < 8 * query.length; bit++) {
      const changed = Buffer.from(query);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const answer = ask(changed, { keys: [KEY] });
      if (answer?.outcome === 'transfer') accepted++;
      else expect(answers(answer)).toBe(0);
    }
    // The number, letters of both names in the other case, and the time to live of the signature.
    expect(accepted).toBe(16 + 9 + 7 + 32);
  });

  test('is refused if it is cut off, also in its signature', () => {
    for (let length = 12; length < query.length; length++) {
      const answer = ask(query.subarray(0, length), { keys: [KEY] });
      expect(answer?.outcome).toBe('malformed');
    }
  });

  test('is refused with a shortened signature, with two, and with one that is not the last record', () => {
    const unsigned = queryOf(DNS.SOA);
    const record = signedQuery(unsigned).subarray(unsigned.length);
    const withRecords = (...records: Buffer[]) => {
      const bytes = Buffer.concat([unsigned, ...records]);
      bytes.writeUInt16BE(records.length, 10);
      return bytes;
    };
    expect(ask(withRecords(record), { keys: [KEY] })?.outcome).toBe('serial');
    expect(ask(withRecords(record, record), { keys: [KEY] })?.outcome).toBe('malformed');
    const opt = Buffer.from([0, 0, 41, 4, 0, 0, 0, 0, 0, 0, 0]);
    expect(ask(withRecords(record, opt), { keys: [KEY] })?.outcome).toBe('malformed');
    for (const [bytes, outcome, error] of [
      [16, 'bad_signature', TSIG_ERROR.BADTRUNC],
      [15, 'bad_signature', TSIG_ERROR.BADSIG],
      [0, 'bad_signature', TSIG_ERROR.BADSIG],
    ] as const) {
      const short = Buffer.concat([record.subarray(0, -38), record.subarray(-38, -38 + bytes), record.subarray(-6)]);
      // Lengths of the data and of the signature: behind two names, and eight bytes of times.
      short.writeUInt16BE(short.length - 21, 19);
      short.writeUInt16BE(bytes, 21 + 13 + 8);
      const answer = ask(withRecords(short), { keys: [KEY] });
      const tsig = tsigOf(answer?.messages[0]);
      expect([answer?.outcome, tsig?.error, tsig?.other.length]).toEqual([outcome, error, 0]);
    }
  });
});

/** Number of records that an answer shows. */
const answers = (answer: ReturnType<typeof ask>) =>
  answer?.messages.reduce((sum, message) => sum + (answersIn(message) ?? 0), 0) ?? 0;
