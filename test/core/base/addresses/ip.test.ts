import { describe, expect, test } from 'bun:test';
import { isIP } from 'node:net';
import {
  cidrContains,
  formatCidr,
  formatIp,
  parseCidr,
  parseIp,
  parseUnmappedCidr,
  prefixOf,
  unmapIp,
} from '#src/core/base/addresses/ip.ts';
import { createRandom } from '#test/support/random.ts';

const random = createRandom(1);
const anyIp = () =>
  random.below(2) === 0
    ? ({ family: 4, value: BigInt(Math.floor(random.next() * 2 ** 32)) } as const)
    : ({
        family: 6,
        // Runs of zeros are what makes IPv6 text hard.
        value: Array.from({ length: 8 }, () => (random.below(2) === 0 ? 0 : random.below(65536))).reduce(
          (value, group) => (value << 16n) | BigInt(group),
          0n,
        ),
      } as const);

describe('an IP address', () => {
  test('is parsed back from its text', () => {
    for (let i = 0; i < 5000; i++) {
      const ip = anyIp();
      expect(parseIp(formatIp(ip))).toEqual(ip);
    }
  });

  test('has the same text as from the URL parser', () => {
    for (let i = 0; i < 5000; i++) {
      const text = formatIp(anyIp());
      const host = text.includes(':') ? `[${text}]` : text;
      expect(new URL(`http://${host}/`).hostname).toBe(host);
    }
  });

  test('is accepted in exactly the spellings that the platform accepts, except for zones', () => {
    for (let i = 0; i < 20_000; i++) {
      const text = random.text(16, '0123456789abf:::.');
      expect([text, parseIp(text)?.family ?? 0]).toEqual([text, isIP(text)] as [string, 0 | 4 | 6]);
    }
    for (const text of [
      '::1.2.3.4',
      '1::1.2.3.4',
      '1.2.3.4::',
      '::1.2.3.4:5',
      '0x7f.1',
      '01.2.3.4',
      '1.2.3',
      '::ffff:1.2.3.04',
    ]) {
      expect([text, parseIp(text)?.family ?? 0]).toEqual([text, isIP(text)] as [string, 0 | 4 | 6]);
    }
    expect(parseIp('fe80::1%eth0')).toBeNull();
  });

  test('that maps IPv4 is converted to the IPv4 address', () => {
    expect(unmapIp(parseIp('::ffff:192.0.2.1') ?? anyIp())).toEqual({ family: 4, value: 0xc0000201n });
    expect(formatIp(unmapIp(parseIp('::192.0.2.1') ?? anyIp()))).toBe('::c000:201');
  });
});

describe('a CIDR block', () => {
  test('of any length around an address contains it, and is parsed back from its text', () => {
    for (let i = 0; i < 2000; i++) {
      const ip = anyIp();
      const block = prefixOf(ip, random.below(ip.family === 4 ? 33 : 129));
      expect(cidrContains(block, ip)).toBe(true);
      expect(parseCidr(formatCidr(block))).toEqual(block);
    }
  });

  test('with bits behind its prefix is refused with the correct block', () => {
    expect(parseCidr('10.1.0.0/8')).toBe('"10.1.0.0/8" has bits set behind its prefix; write 10.0.0.0/8');
    for (const text of ['10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', 'ten/8', '10.0.0.0/-1', '']) {
      expect(typeof parseCidr(text)).toBe('string');
    }
  });

  test('that maps IPv4 is refused, because no client can match it', () => {
    expect(parseUnmappedCidr('::ffff:10.0.0.0/104')).toBe('"::ffff:10.0.0.0/104" maps IPv4; write 10.0.0.0/8');
    expect(parseUnmappedCidr('::ffff:10.0.0.1')).toBe('"::ffff:10.0.0.1" maps IPv4; write 10.0.0.1/32');
  });

  test('contains no address of the other family', () => {
    expect(cidrContains(prefixOf({ family: 4, value: 0n }, 0), { family: 6, value: 0n })).toBe(false);
  });
});
