import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { followAnswer } from '#src/network/egress/dns/answer.ts';
import { answersQuestion, type DnsType, encodeQuery, readDnsResponse } from '#src/network/egress/dns/message.ts';
import { encodeName, readName } from '#src/network/egress/dns/name.ts';
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

describe('a DNS name', () => {
  test('is equal after encoding and decoding', () => {
    for (const name of ['', 'a', 'www.example.net', `${'a'.repeat(63)}.b`]) {
      const octets = encodeName(name);
      expect(readName(octets, 0)).toEqual({ name, end: octets.length });
    }
  });

  test('escapes a dot within a label, so that names stay distinct', () => {
    const dotted = Uint8Array.from([3, 0x61, 0x2e, 0x62, 0]);
    expect(readName(dotted, 0)?.name).toBe('a\\046b');
  });

  test('may have a pointer to an earlier octet, but not forwards or to itself', () => {
    const message = Uint8Array.from([1, 0x61, 0, 1, 0x62, 0xc0, 0]);
    expect(readName(message, 3)).toEqual({ name: 'b.a', end: 7 });
    expect(readName(Uint8Array.from([0xc0, 0]), 0)).toBeNull();
    expect(readName(Uint8Array.from([0xc0, 2, 0]), 0)).toBeNull();
    expect(readName(Uint8Array.from([1, 0x61, 0xc0, 0]), 0)).toBeNull();
  });
});

describe('reading a DNS name', () => {
  const label = (length: number, fill = 0x61) => [length, ...Array<number>(length).fill(fill)];
  const read = (...octets: number[]) => readName(Uint8Array.from(octets), 0);

  test('limits a label to 63 octets and a name to 255 octets', () => {
    expect(read(...label(63), 0)?.name).toBe('a'.repeat(63));
    expect(read(...label(64), 0)).toBeNull();
    expect(read(...label(191), 0)).toBeNull();
    const three = [...label(63), ...label(63), ...label(63)];
    expect(read(...three, ...label(61), 0)?.end).toBe(255);
    expect(read(...three, ...label(62), 0)).toBeNull();
  });

  test('limits a name to 127 labels', () => {
    expect(read(...Array.from({ length: 127 }, () => label(1)).flat(), 0)?.name.split('.')).toHaveLength(127);
    expect(read(...Array.from({ length: 128 }, () => label(1)).flat(), 0)).toBeNull();
  });

  test('refuses a name that exceeds the end of the message', () => {
    expect(read(3, 0x61, 0x62, 0x63)).toBeNull();
    expect(read(3, 0x61, 0x62)).toBeNull();
    expect(read()).toBeNull();
    expect(read(0xc0)).toBeNull();
    // Behind a label that ends with the message, a pointer back to its beginning.
    expect(readName(Uint8Array.from([0, 1, 0x61, 0xc0, 0]), 1)).toEqual({ name: 'a', end: 5 });
    expect(readName(Uint8Array.from([0, 2, 0x61, 0xc0]), 1)).toBeNull();
  });

  test('follows a pointer to any earlier offset of 14 bits', () => {
    const message = new Uint8Array(0x3fff + 2);
    message.set([1, 0x61, 0], 0x102);
    message.set([0xc1, 0x02], 0x3fff);
    expect(readName(message, 0x3fff)).toEqual({ name: 'a', end: 0x4001 });
  });

  test('returns lower case, and escapes octets that are invalid in host names as numbers', () => {
    expect(read(...label(2, 0x41), 1, 0x5f, 1, 0x2d, 1, 0x39, 1, 0x20, 1, 0xff, 0)?.name).toBe('aa._.-.9.\\032.\\255');
  });
});

describe('a DNS query', () => {
  test('is encoded exactly as in RFC 1035 and RFC 6891', () => {
    const hex = (edns: boolean) =>
      Buffer.from(encodeQuery({ id: 0x1267, name: 'a.bc', type: 'AAAA', edns })).toString('hex');
    const body = '0161026263' + '00' + '001c' + '0001';
    // Recursion desired, and the AD bit wanted; one question, and one OPT record for 1,232 octets.
    expect(hex(true)).toBe(
      `${'1267' + '0120' + '0001' + '0000' + '0000' + '0001'}${body}${'00' + '0029' + '04d0' + '0000' + '0000' + '0000'}`,
    );
    expect(hex(false)).toBe(`${'1267' + '0120' + '0001' + '0000' + '0000' + '0000'}${body}`);
  });
});

describe('refuses an answer', () => {
  const whole = reply('A');
  const changed = (at: number, octet: number) => {
    const message = Uint8Array.from(whole);
    message[at] = octet;
    return answersQuestion(message, question('A'));
  };
  // The question ends with its type and its class.
  const typeAt = 12 + encodeName(question('A').name).length;

  test('unless it matches the query', () => {
    expect(answersQuestion(whole, question('A'))).toBe(true);
    expect(answersQuestion(whole.subarray(0, typeAt + 4), question('A'))).toBe(true);
  });

  test.each([
    ['of another id', 1, 0],
    ['that is a question itself', 2, 0x01],
    ['of another operation', 2, 0x91],
    ['of no question', 5, 0],
    ['of two questions', 5, 2],
    ['of another name', 13, 0x78],
    ['of another type', typeAt + 1, 28],
    ['of another class', typeAt + 3, 3],
  ])('%s', (_, at, octet) => {
    expect(changed(at, octet)).toBe(false);
  });

  test('that ends within its question', () => {
    for (let length = 0; length < typeAt + 4; length++)
      expect(answersQuestion(whole.subarray(0, length), question('A'))).toBe(false);
    const root = { id: 1, name: '', type: 'NS' as const };
    const empty = encodeReply(encodeQuery(root), {});
    expect(answersQuestion(empty, root)).toBe(true);
    expect(answersQuestion(empty.subarray(0, 12), root)).toBe(false);
  });
});

describe('a DNS response', () => {
  const respond = (more: Parameters<typeof encodeReply>[1]) =>
    readDnsResponse(encodeReply(encodeQuery(question('A')), more));

  test('has its response code with the upper bits from the OPT record', () => {
    for (const rcode of ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'])
      expect<unknown>(respond({ rcode })?.rcode).toBe(rcode);
    expect(respond({ rcode: 'BADVERS' })?.rcode).toBe('RCODE16');
  });

  test('reports if it was truncated, and if the resolver authenticated it', () => {
    expect(respond({})).toMatchObject({ truncated: false, authenticated: false });
    expect(respond({ tc: true })).toMatchObject({ truncated: true, authenticated: false });
    expect(respond({ ad: true })).toMatchObject({ truncated: false, authenticated: true });
  });

  test('must contain all of its records, and may have bytes after them', () => {
    const whole = encodeReply(encodeQuery(question('A')), {
      answers: [{ name: '@', type: 'A', ttl: 1, data: '192.0.2.1' }],
      authority: [{ name: 'net', type: 'NS', ttl: 1, data: 'ns.test' }],
    });
    expect(readDnsResponse(whole)).toMatchObject({ answers: [{ typeNumber: 1 }], authority: [{ typeNumber: 2 }] });
    expect(readDnsResponse(Buffer.concat([whole, Buffer.from('junk')]))).not.toBeNull();
    for (let length = 12; length < whole.length; length++)
      expect(readDnsResponse(whole.subarray(0, length))).toBeNull();
  });

  test('contains only records of the Internet class', () => {
    const whole = reply('A');
    // Type, class, TTL, length and four octets stand behind the owner's name.
    whole[whole.length - 4 - 2 - 4 - 1] = 3;
    expect(readDnsResponse(whole)).toMatchObject({ rcode: 'NOERROR', answers: [] });
  });
});

describe('the cache time of an answer', () => {
  const keep = (type: DnsType, more: Parameters<typeof encodeReply>[1]) => {
    const response = readDnsResponse(encodeReply(encodeQuery(question(type)), more));
    return response && followAnswer(response, question(type).name, type).cacheSeconds;
  };
  const negative = (ttl: number, minimum: number) => [{ name: 'net', type: 'SOA', ttl, data: { ...soa, minimum } }];
  const address = (name: string, ttl: number) => ({ name, type: 'A', ttl, data: '192.0.2.1' });

  test('is the shortest TTL of the records that lead to it', () => {
    const alias = { name: '@', type: 'CNAME', ttl: 20, data: 'b.test' };
    expect(keep('A', { answers: [address('@', 60), address('@', 30)] })).toBe(30);
    expect(keep('A', { answers: [alias, address('b.test', 60)] })).toBe(20);
    expect(keep('A', { answers: [{ ...alias, ttl: 90 }, address('b.test', 60), address('c.test', 5)] })).toBe(60);
  });

  test('is the negative TTL of the zone if there are no records, at most 15 minutes', () => {
    expect(keep('A', { rcode: 'NXDOMAIN', authority: negative(60, 120) })).toBe(60);
    expect(keep('A', { rcode: 'NXDOMAIN', authority: negative(120, 60) })).toBe(60);
    expect(keep('A', { authority: negative(5000, 5000) })).toBe(900);
  });

  test('is that of the first SOA record if there are several', () => {
    expect(keep('A', { rcode: 'NXDOMAIN', authority: [...negative(60, 60), ...negative(30, 30)] })).toBe(60);
    expect(keep('A', { rcode: 'NXDOMAIN', authority: [...negative(30, 30), ...negative(60, 60)] })).toBe(30);
  });

  test('is 0 without an SOA record, and after a failure', () => {
    expect(keep('A', { rcode: 'NXDOMAIN' })).toBe(0);
    expect(keep('A', { rcode: 'NXDOMAIN', authority: [{ name: 'net', type: 'NS', ttl: 60, data: 'ns.test' }] })).toBe(
      0,
    );
    expect(keep('A', { rcode: 'SERVFAIL', authority: negative(60, 60) })).toBe(0);
  });
});

describe('a chain of CNAME records', () => {
  const follow = (links: number) => {
    const names = [question('A').name, ...Array.from({ length: links }, (_, link) => `a${link}.test`)];
    const answers = names.slice(1).map((data, link) => ({ name: names[link] ?? '', type: 'CNAME', ttl: 60, data }));
    return read(encodeReply(encodeQuery(question('A')), { answers }), 'A');
  };

  test('is followed for at most 16 records', () => {
    for (const links of [0, 1, 16]) expect(follow(links)?.chain).toHaveLength(links);
    expect(follow(17)).toBeNull();
  });

  test('is refused if it contains a loop', () => {
    const aliases = { 'www.example.net': 'a.test', 'a.test': 'b.test', 'b.test': 'a.test' };
    const answers = Object.entries(aliases).map(([name, data]) => ({ name, type: 'CNAME', ttl: 60, data }));
    const response = readDnsResponse(encodeReply(encodeQuery(question('A')), { answers }));
    expect(() => response && followAnswer(response, question('A').name, 'A')).toThrow(
      'www.example.net: 3 aliases, the last to a.test',
    );
  });
});

describe('a DNS message', () => {
  test('contains the name and type of the question', () => {
    for (const type of TYPES)
      expect(readQuery(encodeQuery(question(type)))).toMatchObject({ name: 'www.example.net', type });
  });

  test('supports every record type', () => {
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

  test('has TTLs of at most one day, and 0 for a negative TTL', () => {
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

  test('is refused without an exception if it is truncated anywhere', () => {
    for (const type of TYPES) {
      const whole = reply(type);
      for (let length = 0; length < whole.length; length++) expect(read(whole.subarray(0, length), type)).toBeNull();
    }
  });

  test('is read or refused without an exception if its octets are changed at random', () => {
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
