import { describe, expect, test } from 'bun:test';
import { readName } from '#src/network/egress/dns/name.ts';
import { MAX_QUERY_BYTES } from '#src/parts/feeds/zone/protocol/answer-query.ts';
import { DNS, HEADER_BYTES, RCODE, readDnsMessage } from '#src/parts/feeds/zone/protocol/message.ts';
import { readZone } from '#src/parts/feeds/zone/protocol/zone-content.ts';
import { answersIn, ask, KEY, NOW_SECONDS, queryOf, rcodeOf, ZONE, zoneOf } from '#test/support/zone-bytes.ts';

/** Owner, type and data of each record in the answer section. */
function recordsIn(message: Buffer): string[] {
  const records: string[] = [];
  let at = (readName(message, HEADER_BYTES)?.end ?? 0) + 4;
  for (let left = answersIn(message) ?? 0; left > 0; left--) {
    const owner = readName(message, at);
    const head = owner?.end ?? 0;
    const data = head + 10;
    const type = message.readUInt16BE(head);
    const target = type === DNS.SOA ? 'SOA' : `${type} ${readName(message, data)?.name}.`;
    records.push(`${owner?.name} ${target}`);
    at = data + message.readUInt16BE(head + 8);
  }
  return records;
}

const SMALL = zoneOf(['evil.example', String.raw`a\_b\$c\ d.example`]);

describe('a primary', () => {
  test('answers with the serial over UDP and TCP', () => {
    for (const transport of ['udp', 'tcp'] as const) {
      const answer = ask(queryOf(DNS.SOA), { transport });
      expect(answer?.outcome).toBe('serial');
      const [message = Buffer.alloc(0)] = answer?.messages ?? [];
      expect(message.toString('hex', 0, 4)).toBe('12348400');
      expect(recordsIn(message)).toEqual(['rpz.lurecheck SOA']);
      // Names of 11 and 22 bytes, then the serial.
      expect(message.subarray(-20).readUInt32BE(0)).toBe(NOW_SECONDS);
    }
  });

  test('transfers the whole zone between two equal records of its serial', () => {
    const { outcome, messages = [] } = ask(queryOf(DNS.AXFR), { zone: SMALL }) ?? {};
    expect(outcome).toBe('transfer');
    expect(messages.flatMap(recordsIn)).toEqual([
      'rpz.lurecheck SOA',
      'rpz.lurecheck 2 localhost.',
      'evil.example.rpz.lurecheck 5 .',
      '\\042.evil.example.rpz.lurecheck 5 .',
      'a_b\\036c\\032d.example.rpz.lurecheck 5 .',
      '\\042.a_b\\036c\\032d.example.rpz.lurecheck 5 .',
      'rpz.lurecheck SOA',
    ]);
  });

  test('transfers a long zone in messages that each have the question, and none is above 64 KiB', () => {
    const { messages = [] } = ask(queryOf(DNS.AXFR)) ?? {};
    expect(messages).toHaveLength(3);
    const records = messages.flatMap(recordsIn);
    expect(records).toHaveLength(6003);
    expect(new Set(records).size).toBe(6002);
    for (const message of messages) {
      expect(message.length).toBeLessThan(60_001);
      expect(message.subarray(0, 6).toString('hex')).toBe('123484000001');
    }
  });

  test.each([
    ['an older serial', NOW_SECONDS - 1, 'transfer', 6003],
    ['a serial of half the circle ago', (NOW_SECONDS + 2 ** 31 + 1) % 2 ** 32, 'transfer', 6003],
    ['no serial', null, 'transfer', 6003],
    ['the same serial', NOW_SECONDS, 'unchanged', 1],
    ['a later serial', NOW_SECONDS + 1, 'unchanged', 1],
  ] as const)('answers IXFR with %s over TCP as a transfer, or as nothing new', (_, serial, outcome, count) => {
    const answer = ask(queryOf(DNS.IXFR, serial));
    expect(answer?.outcome).toBe(outcome);
    expect(answer?.messages.flatMap(recordsIn)).toHaveLength(count);
  });

  test('answers IXFR over UDP with the serial alone', () => {
    const answer = ask(queryOf(DNS.IXFR, 1), { transport: 'udp' });
    expect(answer?.messages.map(recordsIn)).toEqual([['rpz.lurecheck SOA']]);
  });

  test.each([
    ['another zone', queryOf(DNS.SOA, null, 'example.com')],
    ['the root', queryOf(DNS.AXFR, null, '')],
    ['a name in the zone', queryOf(DNS.SOA, null, 'evil.example.rpz.lurecheck')],
    ['another type', queryOf(1)],
    ['another class', Buffer.concat([queryOf(DNS.SOA).subarray(0, -2), Buffer.from([0, 3])])],
    ['a notification', Buffer.concat([Buffer.from([1, 2, 0x24, 0]), queryOf(DNS.SOA).subarray(4)])],
    ['an update', Buffer.concat([Buffer.from([1, 2, 0x28, 0]), queryOf(DNS.SOA).subarray(4)])],
  ])('refuses %s, and shows no record', (_, query) => {
    const answer = ask(query);
    expect(answer?.outcome).toBe('refused');
    expect(answer?.messages.map((message) => [rcodeOf(message), answersIn(message)])).toEqual([[RCODE.REFUSED, 0]]);
  });

  test('repeats number, operation, wish for recursion and question of what it refuses', () => {
    const question = queryOf(257, null, 'example.com').subarray(HEADER_BYTES);
    const query = (flags: string) => Buffer.concat([Buffer.from(`abcd${flags}0001000000000000`, 'hex'), question]);
    for (const [flags, answered] of [
      ['0000', '8005'],
      ['0100', '8105'],
      ['2400', 'a005'],
      ['7fff', 'f905'],
    ] as const) {
      const [message] = ask(query(flags))?.messages ?? [];
      expect(message?.toString('hex')).toBe(
        query(answered)
          .toString('hex')
          .replace(/^.{4}.{4}/, `abcd${answered}`),
      );
    }
    // Of what cannot be read, the number and the operation alone.
    expect(ask(query('7fff').subarray(0, -1))?.messages[0]?.toString('hex')).toBe('abcdf8010000000000000000');
  });

  test('reads up to eight records beside the question', () => {
    const record = Buffer.from([0, 0, 99, 0, 1, 0, 0, 0, 0, 0, 0]);
    const withRecords = (count: number) => {
      const query = Buffer.concat([queryOf(DNS.SOA), ...Array(count).fill(record)]);
      query.writeUInt16BE(count, 6);
      return query;
    };
    expect([8, 9].map((count) => ask(withRecords(count))?.outcome)).toEqual(['serial', 'malformed']);
  });

  test('refuses a transfer over UDP, and one that comes too often', () => {
    expect(ask(queryOf(DNS.AXFR), { transport: 'udp' })?.outcome).toBe('refused');
    const often = ask(queryOf(DNS.AXFR), { mayTransfer: () => false });
    expect([often?.outcome, rcodeOf(often?.messages[0])]).toEqual(['limited', RCODE.REFUSED]);
  });

  test('has an error for a zone without a version, and never an empty zone', () => {
    for (const type of [DNS.SOA, DNS.AXFR, DNS.IXFR]) {
      const answer = ask(queryOf(type), { zone: null });
      expect(answer?.outcome).toBe('unavailable');
      expect(answer?.messages.map((message) => [rcodeOf(message), answersIn(message)])).toEqual([[RCODE.SERVFAIL, 0]]);
    }
  });

  test('answers EDNS with EDNS, and refuses a later version of it', () => {
    const withEdns = (version: number) => {
      const query = Buffer.concat([queryOf(DNS.SOA), Buffer.from([0, 0, 41, 4, 0, 0, version, 0, 0, 0, 0])]);
      query.writeUInt16BE(1, 10);
      return query;
    };
    const known = ask(withEdns(0));
    expect(known?.outcome).toBe('serial');
    // The extension: root, type, payload of 1,232 bytes, and nothing else.
    expect(known?.messages[0]?.subarray(-11).toString('hex')).toBe('00002904d0000000000000');
    expect(readDnsMessage(known?.messages[0] ?? Buffer.alloc(0))).toMatchObject({
      edns: 0,
      rcode: 0,
      isResponse: true,
    });
    const later = ask(withEdns(1));
    expect(later?.outcome).toBe('refused');
    // BADVERS is 16: its upper bits are in the extension.
    expect(later?.messages[0]?.subarray(-11).toString('hex')).toBe('00002904d0010000000000');
    expect([rcodeOf(later?.messages[0]), answersIn(later?.messages[0])]).toEqual([0, 0]);
  });

  test('with a key, answers nothing that is not signed', () => {
    for (const type of [DNS.SOA, DNS.AXFR, DNS.IXFR]) {
      const answer = ask(queryOf(type), { keys: [KEY] });
      expect(answer?.outcome).toBe('unsigned');
      expect(answer?.messages.map((message) => [rcodeOf(message), answersIn(message)])).toEqual([[RCODE.REFUSED, 0]]);
    }
  });

  test('ignores responses and what has no header', () => {
    const response = queryOf(DNS.SOA);
    response[2] = 0x80;
    for (const bytes of [response, Buffer.alloc(0), queryOf(DNS.SOA).subarray(0, 11)]) expect(ask(bytes)).toBeNull();
  });

  test('answers every query that is cut off or continued with an error of its format', () => {
    const query = queryOf(DNS.IXFR, 1);
    const inputs: Buffer[] = [Buffer.concat([query, Buffer.of(0)]), Buffer.alloc(MAX_QUERY_BYTES + 1)];
    for (let length = HEADER_BYTES; length < query.length; length++) inputs.push(query.subarray(0, length));
    for (const bytes of inputs) {
      const answer = ask(bytes);
      expect(answer?.outcome).toBe('malformed');
      expect(answer?.messages.map((message) => [message.length, rcodeOf(message)])).toEqual([[12, RCODE.FORMERR]]);
    }
  });

  test.each([
    ['a pointer in the question', [0xc0, 0x00, 0, 6, 0, 1]],
    ['a pointer behind a label', [1, 0x61, 0xc0, 0x00, 0, 6, 0, 1]],
    ['a label of 64 bytes', [64, ...Array(64).fill(0x61), 0, 0, 6, 0, 1]],
  ])('answers %s with an error of its format', (_, question) => {
    const head = queryOf(DNS.SOA).subarray(0, HEADER_BYTES);
    expect(ask(Buffer.concat([head, Buffer.from(question)]))?.outcome).toBe('malformed');
  });
});

test('the text of a feed is read as a zone, or not at all', () => {
  const lines = [`${'-'.repeat(64)} CNAME .`, 'a..example CNAME .', 'absolute. CNAME .', 'two words CNAME .'];
  const more = ['alone', 'a CNAME', 'a CNAME relative', 'a A 192.0.2.1.', 'a\\', '', `${'a.'.repeat(128)}a CNAME .`];
  for (const line of [...lines, ...more]) {
    const text = Buffer.concat([SMALL.text, Buffer.from(`${line}\n`)]);
    expect(() => ask(queryOf(DNS.AXFR), { zone: readZone(ZONE, text) })).toThrow('not a record of a feed');
  }
  const cut = SMALL.text.subarray(0, -1);
  expect(() => ask(queryOf(DNS.AXFR), { zone: readZone(ZONE, cut) })).toThrow('the last line of the zone does not end');
  for (const head of ['', '$TTL 300\n', '$TTL 300\n@ NS localhost.\n', '\n$TTL 300\n@ SOA a. b. 1 2 3 4 5\n'])
    expect(() => readZone(ZONE, Buffer.from(head))).toThrow('does not begin with its SOA record');
});

test('the longest name is transferred whole, and a longer one is not', () => {
  const label = 'x'.repeat(63);
  // The zone takes 15 bytes with the root, each label one more than its length.
  const longest = [label, label, label, 'x'.repeat(255 - 15 - 3 * 64 - 1)].join('.');
  const transferOf = (name: string) => {
    const text = Buffer.concat([zoneOf([]).text, Buffer.from(`${name} CNAME .\n`)]);
    return ask(queryOf(DNS.AXFR), { zone: readZone(ZONE, text) })?.messages.flatMap(recordsIn);
  };
  expect(transferOf(longest)?.[2]).toBe(`${longest}.${ZONE} 5 .`);
  expect(() => transferOf(`${longest}x`)).toThrow('not a record of a feed');
});
