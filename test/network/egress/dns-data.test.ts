import { describe, expect, test } from 'bun:test';
import { DATA_READERS, type DnsType, soaMinimum } from '#src/network/egress/dns/message.ts';

const hex = (text: string) => [...Buffer.from(text, 'hex')];
const text = (value: string) => [...Buffer.from(value, 'latin1')];
const string = (value: string) => [value.length, ...text(value)];
const name = (value: string) => [...value.split('.').flatMap(string), 0];
const NUMBERS = [0, 0, 0, 7, ...Array(12).fill(0), 0, 0, 1, 44];

/** Reads data that stands in a message between other octets, which are none of its business. */
function read(type: DnsType, octets: readonly number[]): unknown {
  const message = Uint8Array.from([
    9,
    9,
    9,
    ...octets,
    1,
    0x61,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  return DATA_READERS[type]({ message, start: 3, end: 3 + octets.length });
}

describe('DNS record data', () => {
  test.each<[DnsType, readonly number[], unknown]>([
    ['A', [192, 0, 2, 1], '192.0.2.1'],
    ['A', [192, 0, 2], null],
    ['A', [192, 0, 2, 1, 0], null],
    ['AAAA', hex('20010db8000000000000000000000001'), '2001:db8::1'],
    ['AAAA', hex('20010db80000000000000000000000'), null],
    ['AAAA', hex('20010db800000000000000000000000100'), null],
    ['CNAME', name('a.test'), 'a.test'],
    ['NS', [0], ''],
    ['NS', [...name('a.test'), 0], null],
    ['NS', name('a.test').slice(0, -1), null],
    ['NS', [], null],
    ['MX', [1, 2, ...name('mx.test')], { preference: 258, exchange: 'mx.test' }],
    ['MX', [0, 0, 0], { preference: 0, exchange: '' }],
    ['MX', [0, 0], null],
    ['MX', [0, 0, ...name('mx.test'), 0], null],
    ['SOA', [...name('ns.test'), ...name('x.test'), ...NUMBERS], { primary: 'ns.test', contact: 'x.test', serial: 7 }],
    ['SOA', [...name('ns.test'), ...name('x.test'), ...NUMBERS, 0], null],
    ['SOA', [...name('ns.test'), ...name('x.test'), ...NUMBERS.slice(1)], null],
    ['SOA', [64, ...name('x.test'), ...NUMBERS], null],
    ['SOA', [...name('ns.test'), 64, ...NUMBERS], null],
    ['TXT', string('v=spf1'), 'v=spf1'],
    ['TXT', [...string('a'), ...string(''), ...string('b')], 'ab'],
    ['TXT', [0], ''],
    ['TXT', [], null],
    ['TXT', [3, 0x61, 0x62], null],
    ['TXT', [...string('a'), 1], null],
    ['TXT', [5, ...hex('c3a9efbbbf')], 'é\ufeff'],
    ['TXT', [1, 0xff], '\ufffd'],
    ['CAA', [128, ...string('ISSUE'), ...text('ca.test')], { flags: 128, tag: 'issue', value: 'ca.test' }],
    ['CAA', [0, ...string('a')], { flags: 0, tag: 'a', value: '' }],
    ['CAA', [0, ...string('')], null],
    ['CAA', [0], null],
    ['CAA', [], null],
    ['CAA', [0, 6, ...text('issue')], null],
  ])('%s of %p', (type, octets, data) => {
    expect(read(type, octets)).toEqual(data);
  });

  test('is truncated to 1,024 characters', () => {
    const long = Array.from({ length: 5 }, () => string('x'.repeat(255))).flat();
    expect(String(read('TXT', long))).toHaveLength(1024);
    expect(read('CAA', [0, ...string('issue'), ...text('x'.repeat(2000))])).toEqual({
      flags: 0,
      tag: 'issue',
      value: 'x'.repeat(1024),
    });
  });
});

test('the last number of an SOA record is the TTL of negative answers', () => {
  const message = Uint8Array.from([...name('ns.test'), ...name('x.test'), ...NUMBERS]);
  expect(soaMinimum({ message, start: 0, end: message.length })).toBe(300);
});
