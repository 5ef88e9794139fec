import { describe, expect, test } from 'bun:test';
import { writeAdblockRules } from '#src/parts/export/blocked/adblock-rules.ts';
import { blockListWriter } from '#src/parts/export/blocked/block-format.ts';
import type { WriteBlockList } from '#src/parts/export/blocked/block-list.ts';
import { writeHostsFile, writePlainList } from '#src/parts/export/blocked/plain-lists.ts';
import { writeRpz } from '#src/parts/export/blocked/rpz.ts';
import { writeSquidAcl } from '#src/parts/export/blocked/squid-acl.ts';
import { writeStixIndicators } from '#src/parts/export/blocked/stix-indicators.ts';
import { readList } from '#test/network/lists/formats/read-list.ts';
import { blockList, EVERY_KIND, SUBJECT, written } from './block-list.ts';

describe('a response policy zone', () => {
  test('has names with and without subdomains, and reversed addresses', () => {
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
  ])('writes %s as %s', (block, trigger) => {
    expect(written(writeRpz, blockList([block])).lines).toEqual([`${trigger} CNAME .`]);
  });

  test('has passthru rules for allowed names, and reports exceptions that it cannot contain', () => {
    const list = blockList(['evil.example'], ['good.evil.example', 'http://evil.example/fine']);
    const { lines, omitted } = written(writeRpz, list);
    expect(lines.slice(2)).toEqual([
      'good.evil.example CNAME rpz-passthru.',
      '*.good.evil.example CNAME rpz-passthru.',
    ]);
    expect(omitted).toEqual(['within']);
  });

  test('omits names with an empty label or an inner wildcard', () => {
    const names = ['http://a..evil.example/', 'http://a.*.evil.example/'];
    expect(written(writeRpz, blockList(names))).toMatchObject({ lines: [], omitted: ['name', 'name'] });
  });

  test('has each allowed name once', () => {
    const { lines } = written(writeRpz, blockList([], ['good.example', 'good.example']));
    expect(lines).toEqual(['good.example CNAME rpz-passthru.', '*.good.example CNAME rpz-passthru.']);
  });

  test('has each name once', () => {
    const { lines } = written(writeRpz, blockList(['evil.example', 'evil.example', 'http://evil.example/']));
    expect(lines).toEqual(['evil.example CNAME .', '*.evil.example CNAME .']);
  });

  test('has a 32-bit serial that grows with the time', () => {
    const serialAt = (nowMs: number) =>
      Number(/localhost\. (\d+) /.exec(written(writeRpz, blockList([]), { ...SUBJECT, nowMs }).text)?.[1]);
    expect(serialAt(SUBJECT.nowMs + 1000)).toBe(serialAt(SUBJECT.nowMs) + 1);
    // It has 32 bits, and begins again beyond.
    expect([2 ** 31 + 5, 2 ** 32 + 5].map((seconds) => serialAt(seconds * 1000))).toEqual([2 ** 31 + 5, 5]);
  });

  test('has names of at most 255 octets with the zone, and reports longer ones', () => {
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

  test('escapes special characters of a zone file with a backslash', () => {
    expect(written(writeRpz, blockList(['http://a$b!c.example/', 'http://x_y.example/'])).lines).toEqual([
      'a\\$b\\!c.example CNAME .',
      'x_y.example CNAME .',
    ]);
  });
});

/** The lines of a format about exact URLs. */
function exactly(write: WriteBlockList, ...urls: string[]): string[] {
  const list = blockList(urls);
  return written(write, { ...list, blocked: list.blocked.map((one) => ({ ...one, isExact: true })) }).lines;
}

test.each([
  ['rpz', '; What lurecheck on box-1 blocks, as a response policy zone.'],
  ['hosts', '# What lurecheck on box-1 blocks. A hosts file says nothing of names under these.'],
  ['squid', '# What lurecheck on box-1 blocks. In squid.conf, include this file before whatever allows.'],
  ['adblock', '! Title: What lurecheck on box-1 blocks'],
  ['plain', '# What lurecheck on box-1 blocks.'],
  ['stix', '{"type":"bundle","id":"bundle--'],
] as const)('%s begins with its description', async (format, beginning) => {
  expect(written(await blockListWriter(format), blockList([])).text).toStartWith(beginning);
});

test.each(['plain', 'stix'] as const)('%s reports the exceptions that it cannot contain', async (format) => {
  const { omitted } = written(await blockListWriter(format), blockList([], ['a.example', 'b.example']));
  expect(omitted).toEqual(['within', 'within']);
});

test('a hosts file has no name that begins or ends with a hyphen', () => {
  const { lines, omitted } = written(writeHostsFile, blockList(['http://-a.example/', 'http://a.example-/']));
  expect({ lines, omitted }).toEqual({ lines: [], omitted: ['name', 'name'] });
});

test('a hosts file contains only names', () => {
  const { lines, omitted } = written(writeHostsFile, blockList([...EVERY_KIND, 'http://a$b.example/', 'evil.example']));
  expect(lines).toEqual(['0.0.0.0 evil.example', '0.0.0.0 only.example']);
  expect(omitted).toEqual(['address', 'address', 'address', 'url', 'url', 'url', 'port', 'name']);
});

describe('a squid.conf fragment', () => {
  test('excludes an allowed name with its subdomains', () => {
    const { lines } = written(writeSquidAcl, blockList(['evil.example'], ['good.evil.example']));
    expect(lines).toEqual([
      'acl lurecheck_blocked_domains dstdomain -n .evil.example',
      'acl lurecheck_allowed_domains dstdomain -n .good.evil.example',
      'http_access deny lurecheck_blocked_domains !lurecheck_allowed_domains',
    ]);
  });

  test('has an ACL for each kind of entry, and a rule that denies it', () => {
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

  test('has no name or address within another one, which Squid refuses', () => {
    const names = ['a.evil.example', 'evil.example', 'b.a.evil.example', '192.0.2.7', '192.0.2.0/24', '192.0.0.0/16'];
    expect(written(writeSquidAcl, blockList(names)).lines).toEqual([
      'acl lurecheck_blocked_domains dstdomain -n .evil.example',
      'acl lurecheck_blocked_addresses dst -n 192.0.0.0/16',
      'http_access deny lurecheck_blocked_domains',
      'http_access deny lurecheck_blocked_addresses',
    ]);
  });

  test('does not deny allowed names, but denies blocked names within them', () => {
    const list = blockList(['evil.example'], ['good.evil.example'], ['bad.good.evil.example']);
    expect(written(writeSquidAcl, list).lines.slice(-2)).toEqual([
      'http_access deny lurecheck_blocked_within_domains',
      'http_access deny lurecheck_blocked_domains !lurecheck_allowed_domains',
    ]);
  });

  test('denies an exact URL without longer URLs below it', () => {
    expect(exactly(writeSquidAcl, 'http://a.example/x', 'http://a.example/x?a=b').slice(0, 2)).toEqual([
      'acl lurecheck_blocked_urls url_regex ^https?://a\\.example(:80|:443)?/x$',
      'acl lurecheck_blocked_urls url_regex ^https?://a\\.example(:80|:443)?/x\\?a=b$',
    ]);
  });

  test('contains expressions of at most 4,000 characters', () => {
    const head = '^https?://a\\.example(:80|:443)?/';
    const linesOf = (length: number) =>
      written(writeSquidAcl, blockList([`http://a.example/${'x'.repeat(length - head.length - '([/?]|$)'.length)}`]));
    expect(linesOf(4000).lines).toHaveLength(2);
    expect(linesOf(4001)).toMatchObject({ lines: [], omitted: ['length'] });
  });

  test('reports exceptions that exceed the line length', () => {
    const { omitted } = written(writeSquidAcl, blockList([], [`http://a.example/${'x'.repeat(5000)}`]));
    expect(omitted).toEqual(['within']);
  });

  test('omits a URL that exceeds the line length', () => {
    const { lines, omitted } = written(writeSquidAcl, blockList([`http://a.example/${'x'.repeat(5000)}`]));
    expect({ lines, omitted }).toEqual({ lines: [], omitted: ['length'] });
  });
});

describe('a filter list', () => {
  test('has rules for all entries except address blocks', () => {
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

  test('has rules with an end anchor for exact URLs', () => {
    expect(exactly(writeAdblockRules, 'http://a.example/x', 'http://a.example/x/?a=b')).toEqual([
      '||a.example/x|$document',
      '||a.example/x/?a=b|$document',
    ]);
  });

  test('reports exceptions that it cannot contain, and marks rules within exceptions as important', () => {
    const list = blockList([], ['198.51.100.0/24'], ['http://evil.example/x', '2001:db8::/64']);
    const { lines, omitted } = written(writeAdblockRules, list);
    expect(lines).toEqual(['||evil.example/x^$document,important']);
    expect(omitted).toEqual(['address', 'within']);
  });

  test('has exceptions, which only the entries blocked within them override', () => {
    const list = blockList(['evil.example'], ['good.evil.example'], ['bad.good.evil.example']);
    expect(written(writeAdblockRules, list).lines).toEqual([
      '||evil.example^',
      '||bad.good.evil.example^$important',
      '@@||good.evil.example^',
      '@@||good.evil.example^$document',
    ]);
  });
});

describe('a bundle of indicators of a block list', () => {
  test('has the start, the end and the reason of each entry, with stable ids', () => {
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
] as const)('the format %s is detected, and read back as entries', async (format, write, count) => {
  const { text } = written(write, blockList(EVERY_KIND));
  expect((await readList(text, 1000)).filter((item) => 'value' in item)).toHaveLength(count);
  expect(await readList(text, 1000)).toEqual(await readList(text, 1000, format));
});

test('a filter list has each rule once', () => {
  const { lines } = written(writeAdblockRules, blockList(['evil.example', 'evil.example', 'other.example']));
  expect(lines.length).toBe(new Set(lines).size);
  expect(lines.filter((line) => line.includes('||evil.example'))).toHaveLength(1);
});

test('indicators of a list have STIX 2.1 patterns', () => {
  const { objects } = JSON.parse(written(writeStixIndicators, blockList(EVERY_KIND)).text);
  const indicators = objects.filter(({ type }: { type: string }) => type === 'indicator');
  expect(indicators).toHaveLength(EVERY_KIND.length);
  for (const one of indicators)
    expect(one).toMatchObject({
      spec_version: '2.1',
      pattern_type: 'stix',
      pattern_version: '2.1',
      indicator_types: ['malicious-activity'],
      labels: ['blocked'],
    });
});

test('an indicator has an end only if it is after the start, and its id is the same in every version', () => {
  const indicatorUntil = (untilMs: (sinceMs: number) => number) => {
    const list = blockList(['evil.example']);
    const blocked = list.blocked.map((one) => ({ ...one, untilMs: untilMs(one.sinceMs) }));
    return JSON.parse(written(writeStixIndicators, { ...list, blocked }).text).objects[1];
  };
  expect(indicatorUntil((sinceMs) => sinceMs)).not.toHaveProperty('valid_until');
  expect(indicatorUntil((sinceMs) => sinceMs + 1)).toMatchObject({
    id: 'indicator--407a178e-e433-5506-8740-66fe4a2884ba',
    valid_until: '2026-12-01T00:00:00.001Z',
  });
});

test('an indicator has a single address without prefix length, and a block with it, in either family', () => {
  const patternOf = (entry: string) => {
    const { objects } = JSON.parse(written(writeStixIndicators, blockList([entry])).text);
    return objects.find(({ type }: { type: string }) => type === 'indicator').pattern;
  };
  expect(patternOf('192.0.2.7')).toBe("[ipv4-addr:value = '192.0.2.7']");
  expect(patternOf('192.0.2.0/24')).toBe("[ipv4-addr:value = '192.0.2.0/24']");
  expect(patternOf('2001:db8::1')).toBe("[ipv6-addr:value = '2001:db8::1']");
  expect(patternOf('2001:db8::/32')).toBe("[ipv6-addr:value = '2001:db8::/32']");
});
