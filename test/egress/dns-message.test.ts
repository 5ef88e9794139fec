import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/base/failure.ts';
import type { DnsType } from '#src/egress/dns/answer.ts';
import { followAnswer } from '#src/egress/dns/follow.ts';
import { answersQuestion, encodeQuery, readDnsResponse } from '#src/egress/dns/message.ts';
import { encodeName, readName } from '#src/egress/dns/name.ts';
import { createRandom } from '#test/support/random.ts';
import { encodeReply, readQuery, type ScriptedRecord } from './dns-wire.ts';

const TYPES: readonly DnsType[] = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'SOA', 'TXT', 'CAA'];
const soa = { primary: 'ns.test', contact: 'x.test', serial: 4294967295, refresh: 1, retry: 1, expire: 1, minimum: 1 };
const DATA: Readonly<Record<DnsType, unknown>> = {
  A: '192.0.2.1',
  AAAA: '2001:db8::1',
  CNAME: 'other.test',
  NS: 'ns.test',
  MX: { preference: 10, exchange: 'mail.test' },
  SOA: soa,
  TXT: ['v=spf1', ' -all'],
  CAA: { flags: 0, tag: 'issue', value: 'ca.test' },
};

const question = (type: DnsType) => ({ id: 4711, name: 'www.example.net', type });
const reply = (type: DnsType, more: readonly ScriptedRecord[] = []) =>
  encodeReply(encodeQuery(question(type)), {
    answers: [{ name: '@', type, ttl: 300, data: DATA[type] }, ...more],
  });

/** Reads an answer as the resolver does; null where it refuses. */
function read(message: Uint8Array, type: DnsType) {
  if (!answersQuestion(message, question(type))) return null;
  const response = readDnsResponse(message);
  try {
    return response && followAnswer(response, question(type).name, type);
  } catch (error) {
    if (error instanceof FailureError) return null;
    throw error;
  }
}

describe('a name', () => {
  test('is read as it was written', () => {
    for (const name of ['', 'a', 'www.example.net', `${'a'.repeat(63)}.b`]) {
      const octets = encodeName(name);
      expect(readName(octets, 0)).toEqual({ name, end: octets.length });
    }
  });

  test('with octets that are not of a host name is told from every other', () => {
    const dotted = Uint8Array.from([3, 0x61, 0x2e, 0x62, 0]);
    expect(readName(dotted, 0)?.name).toBe('a\\046b');
  });

  test('may point backwards, and never forwards or to itself', () => {
    const message = Uint8Array.from([1, 0x61, 0, 1, 0x62, 0xc0, 0]);
    expect(readName(message, 3)).toEqual({ name: 'b.a', end: 7 });
    expect(readName(Uint8Array.from([0xc0, 0]), 0)).toBeNull();
    expect(readName(Uint8Array.from([0xc0, 2, 0]), 0)).toBeNull();
    expect(readName(Uint8Array.from([1, 0x61, 0xc0, 0]), 0)).toBeNull();
  });
});

describe('a message', () => {
  test('asks what it was told to ask', () => {
    for (const type of TYPES)
      expect(readQuery(encodeQuery(question(type)))).toMatchObject({ name: 'www.example.net', type });
  });

  test('carries every type of record', () => {
    for (const type of TYPES) {
      const expected =
        type === 'TXT'
          ? 'v=spf1 -all'
          : type === 'SOA'
            ? { primary: 'ns.test', contact: 'x.test', serial: 4294967295 }
            : DATA[type];
      expect<unknown>(read(reply(type), type)?.records).toEqual([{ data: expected, ttlSeconds: 300 }]);
    }
  });

  test('with a TTL beyond all reason is believed for a day, and with a negative one not at all', () => {
    for (const [ttl, ttlSeconds] of [
      [0x7fffffff, 86_400],
      [0x80000000, 0],
    ] as const) {
      const message = encodeReply(encodeQuery(question('A')), {
        answers: [{ name: '@', type: 'A', ttl, data: '192.0.2.1' }],
      });
      expect(read(message, 'A')?.records[0]?.ttlSeconds).toBe(ttlSeconds);
    }
  });

  test('is refused or read, and never a fault, wherever it is cut off', () => {
    for (const type of TYPES) {
      const whole = reply(type);
      for (let length = 0; length < whole.length; length++) expect(read(whole.subarray(0, length), type)).toBeNull();
    }
  });

  test('is refused or read, and never a fault, whatever its octets are', () => {
    const random = createRandom(20261120);
    for (let round = 0; round < 5000; round++) {
      const type = TYPES[round % TYPES.length] ?? 'A';
      const message = Uint8Array.from(reply(type, [{ name: 'b.test', type: 'CNAME', ttl: 1, data: 'c.test' }]));
      for (let change = 0; change < 1 + (round % 8); change++) {
        message[random.below(message.length)] = random.below(256);
      }
      const answer = read(message, type);
      if (answer) expect(answer.records.length).toBeLessThanOrEqual(2);
    }
  });
});
