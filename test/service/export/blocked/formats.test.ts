import { describe, expect, test } from 'bun:test';
import { writeAdblockRules } from '#src/service/export/blocked/adblock-rules.ts';
import { writeHostsFile } from '#src/service/export/blocked/hosts-file.ts';
import { writePlainList } from '#src/service/export/blocked/plain-list.ts';
import { writeRpz } from '#src/service/export/blocked/rpz.ts';
import { writeSquidAcl } from '#src/service/export/blocked/squid-acl.ts';
import { writeStixIndicators } from '#src/service/export/blocked/stix-indicators.ts';
import { readList } from '#test/network/lists/formats/read-list.ts';
import { blockList, SUBJECT, written } from './block-list.ts';

const EVERY_KIND = [
  'evil.example',
  'http://only.example/',
  '192.0.2.7',
  '198.51.100.0/24',
  '2001:db8::1',
  'https://shared.example/kit',
  'https://shared.example/kit/?a=b',
  'https://shared.example/login-*',
  'https://shared.example:8443/x/',
];

describe('a response policy zone', () => {
  test('has a name with what is under it, one alone, and addresses from behind', () => {
    const { lines, omitted, text } = written(writeRpz, blockList(EVERY_KIND));
    expect(lines).toEqual([
      'evil.example CNAME .',
      '*.evil.example CNAME .',
      'only.example CNAME .',
      '32.7.2.0.192.rpz-ip CNAME .',
      '24.0.100.51.198.rpz-ip CNAME .',
      '128.1.zz.db8.2001.rpz-ip CNAME .',
    ]);
    expect(omitted).toEqual(['url', 'url', 'url', 'port']);
    expect(text.split('\n').slice(1, 4)).toEqual([
      '$TTL 300',
      '@ SOA localhost. hostmaster.localhost. 1798761600 3600 600 604800 300',
      '@ NS localhost.',
    ]);
  });

  test.each([
    ['2001:db8::/32', '32.zz.db8.2001.rpz-ip'],
    ['2001:db8:0:0:1::/80', '80.zz.1.0.0.db8.2001.rpz-ip'],
    ['::2:0/112', '112.0.2.zz.rpz-ip'],
    ['2001:db8:1:2:3:4:5:6', '128.6.5.4.3.2.1.db8.2001.rpz-ip'],
  ])('has %s as %s', (block, trigger) => {
    expect(written(writeRpz, blockList([block])).lines).toEqual([`${trigger} CNAME .`]);
  });

  test('lets through what is allowed within, and says what it cannot', () => {
    const list = blockList(['evil.example'], ['good.evil.example', 'http://evil.example/fine']);
    const { lines, omitted } = written(writeRpz, list);
    expect(lines.slice(2)).toEqual([
      'good.evil.example CNAME rpz-passthru.',
      '*.good.evil.example CNAME rpz-passthru.',
    ]);
    expect(omitted).toEqual(['within']);
  });

  test('has a serial that grows with the time', () => {
    const serialAt = (nowMs: number) =>
      Number(/localhost\. (\d+) /.exec(written(writeRpz, blockList([]), { ...SUBJECT, nowMs }).text)?.[1]);
    expect(serialAt(SUBJECT.nowMs + 1000)).toBe(serialAt(SUBJECT.nowMs) + 1);
  });

  test('holds names up to 255 octets with that of the zone, and says which are longer', () => {
    const label = 'a'.repeat(63);
    const nameOf = (length: number) => `${`${label}.`.repeat(3)}${'b'.repeat(length - 3 * 64)}`;
    // 255 octets on the wire: a length before each label, and the root.
    const longest = 255 - 2 - 'rpz.example.'.length;
    const linesOf = (length: number) => written(writeRpz, blockList([nameOf(length)]));
    expect(linesOf(longest - 2).lines).toEqual([`${nameOf(longest - 2)} CNAME .`, `*.${nameOf(longest - 2)} CNAME .`]);
    expect(linesOf(longest).lines).toEqual([`${nameOf(longest)} CNAME .`]);
    expect(linesOf(longest + 1)).toMatchObject({ lines: [], omitted: ['name'] });
    expect(written(writeRpz, blockList([`${'c'.repeat(64)}.example`]))).toMatchObject({ lines: [], omitted: ['name'] });
  });

  test('writes what a zone file would take for something else with a backslash', () => {
    expect(written(writeRpz, blockList(['http://a$b!c.example/', 'http://x_y.example/'])).lines).toEqual([
      'a\\$b\\!c.example CNAME .',
      'x_y.example CNAME .',
    ]);
  });
});

test('a hosts file has names alone', () => {
  const { lines, omitted } = written(writeHostsFile, blockList([...EVERY_KIND, 'http://a$b.example/', 'evil.example']));
  expect(lines).toEqual(['0.0.0.0 evil.example', '0.0.0.0 only.example']);
  expect(omitted).toEqual(['address', 'address', 'address', 'url', 'url', 'url', 'port', 'name']);
});

describe('a piece of squid.conf', () => {
  test('has an ACL of each kind, and a rule that denies it', () => {
    const { lines, omitted } = written(writeSquidAcl, blockList(EVERY_KIND));
    expect(lines).toEqual([
      'acl lurecheck_blocked_domains dstdomain -n .evil.example',
      'acl lurecheck_blocked_hosts dstdomain -n only.example',
      'acl lurecheck_blocked_addresses dst -n 192.0.2.7/32',
      'acl lurecheck_blocked_addresses dst -n 198.51.100.0/24',
      'acl lurecheck_blocked_addresses dst -n 2001:db8::1/128',
      'acl lurecheck_blocked_urls url_regex ^https?://shared\\.example(:80|:443)?/kit([/?]|$)',
      'acl lurecheck_blocked_urls url_regex ^https?://shared\\.example(:80|:443)?/kit/\\?a=b(&|$)',
      'acl lurecheck_blocked_urls url_regex ^https?://shared\\.example(:80|:443)?/login-',
      'acl lurecheck_blocked_urls url_regex ^https?://shared\\.example:8443/x/',
      'http_access deny lurecheck_blocked_domains',
      'http_access deny lurecheck_blocked_hosts',
      'http_access deny lurecheck_blocked_addresses',
      'http_access deny lurecheck_blocked_urls',
    ]);
    expect(omitted).toEqual([]);
  });

  test('has no name or address within another, which Squid refuses', () => {
    const names = ['a.evil.example', 'evil.example', 'b.a.evil.example', '192.0.2.7', '192.0.2.0/24', '192.0.0.0/16'];
    expect(written(writeSquidAcl, blockList(names)).lines).toEqual([
      'acl lurecheck_blocked_domains dstdomain -n .evil.example',
      'acl lurecheck_blocked_addresses dst -n 192.0.0.0/16',
      'http_access deny lurecheck_blocked_domains',
      'http_access deny lurecheck_blocked_addresses',
    ]);
  });

  test('does not deny what is allowed within, but what is blocked within that', () => {
    const list = blockList(['evil.example'], ['good.evil.example'], ['bad.good.evil.example']);
    expect(written(writeSquidAcl, list).lines.slice(-2)).toEqual([
      'http_access deny lurecheck_blocked_within_domains',
      'http_access deny lurecheck_blocked_domains !lurecheck_allowed_domains',
    ]);
  });

  test('leaves out a URL that is longer than its lines', () => {
    const { lines, omitted } = written(writeSquidAcl, blockList([`http://a.example/${'x'.repeat(5000)}`]));
    expect({ lines, omitted }).toEqual({ lines: [], omitted: ['length'] });
  });
});

describe('a filter list', () => {
  test('has rules for all but blocks of addresses', () => {
    const { lines, omitted } = written(writeAdblockRules, blockList(EVERY_KIND));
    expect(lines).toEqual([
      '||evil.example^',
      '|http://only.example^$document',
      '|https://only.example^$document',
      '||192.0.2.7^',
      '||[2001:db8::1]^',
      '||shared.example/kit^$document',
      '||shared.example/kit/?a=b^$document',
      '||shared.example/login-$document',
      '||shared.example:8443/x/$document',
    ]);
    expect(omitted).toEqual(['address']);
  });

  test('has exceptions, against which only what is blocked within them holds', () => {
    const list = blockList(['evil.example'], ['good.evil.example'], ['bad.good.evil.example']);
    expect(written(writeAdblockRules, list).lines).toEqual([
      '||evil.example^',
      '||bad.good.evil.example^$important',
      '@@||good.evil.example^',
      '@@||good.evil.example^$document',
    ]);
  });
});

describe('a bundle of indicators', () => {
  test('says of each entry since when, until when and why, with ids that stay', () => {
    const list = blockList([
      'evil.example',
      '198.51.100.0/24',
      'https://shared.example/kit?a=b',
      'http://x.example/l-*',
    ]);
    const until = { ...list, blocked: list.blocked.map((one) => ({ ...one, untilMs: Date.UTC(2027, 5, 1) })) };
    const { text } = written(writeStixIndicators, until);
    const [identity, ...indicators] = JSON.parse(text).objects;
    expect(indicators.map(({ pattern }: { pattern: string }) => pattern)).toEqual([
      "[domain-name:value = 'evil.example']",
      "[ipv4-addr:value = '198.51.100.0/24']",
      "[url:value = 'http://shared.example/kit?a=b'] OR [url:value = 'https://shared.example/kit?a=b']",
      "[url:value MATCHES '^https?://x\\\\.example/l-']",
    ]);
    expect(indicators[0]).toMatchObject({
      type: 'indicator',
      created_by_ref: identity.id,
      name: 'Blocked by the list feed',
      valid_from: '2026-12-01T00:00:00.000Z',
      valid_until: '2027-06-01T00:00:00.000Z',
    });
    expect(written(writeStixIndicators, list, { ...SUBJECT, nowMs: 0 }).text).toContain(indicators[0].id);
    expect(text).not.toContain('marking');
    expect(written(writeStixIndicators, list, { ...SUBJECT, isPrivate: true }).text).toContain('object_marking_refs');
  });
});

test.each([
  ['plain', writePlainList, EVERY_KIND.length],
  ['stix', writeStixIndicators, EVERY_KIND.length + 2],
  ['adblock', writeAdblockRules, EVERY_KIND.length],
  ['hosts', writeHostsFile, 2],
] as const)('what is written as %s is recognised, and read again as entries', async (format, write, count) => {
  const { text } = written(write, blockList(EVERY_KIND));
  expect((await readList(text, 1000)).filter((item) => 'value' in item)).toHaveLength(count);
  expect(await readList(text, 1000)).toEqual(await readList(text, 1000, format));
});
