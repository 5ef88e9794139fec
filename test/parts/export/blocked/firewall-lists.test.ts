import { describe, expect, test } from 'bun:test';
import type { WriteBlockList } from '#src/parts/export/blocked/block-list.ts';
import { writeAddresses, writeDomains, writeUrls } from '#src/parts/export/blocked/plain-lists.ts';
import { blockList, EVERY_KIND, written } from './block-list.ts';

test.each([
  ['domains', writeDomains, ['evil.example', '*.evil.example', 'only.example']],
  [
    'urls',
    writeUrls,
    [
      'evil.example/',
      '*.evil.example/',
      'only.example/',
      'shared.example/kit',
      'shared.example/kit/?a=b',
      'shared.example/login-',
    ],
  ],
  ['addresses', writeAddresses, ['192.0.2.7/32', '198.51.100.0/24', '2001:db8::1/128']],
] as const)('%s has one entry per line, and nothing else', (_, write, lines) => {
  expect(written(write, blockList(EVERY_KIND)).text).toBe(lines.map((line) => `${line}\n`).join(''));
});

test.each([
  ['domains', writeDomains, ['address', 'address', 'address', 'url', 'url', 'url', 'port']],
  ['urls', writeUrls, ['address', 'address', 'address', 'port']],
  ['addresses', writeAddresses, ['name', 'name', 'url', 'url', 'url', 'port']],
] as const)('%s counts the entries that it cannot contain', (_, write, omitted) => {
  expect(written(write, blockList(EVERY_KIND)).omitted).toEqual([...omitted]);
});

test.each([
  ['domains', writeDomains],
  ['urls', writeUrls],
] as const)('%s omits a name that no firewall supports, and one that is too long for DNS', (_, write) => {
  const long = `http://${'a.'.repeat(127)}a/`;
  const { text, omitted } = written(write, blockList(['http://a$b.example/', long]));
  expect({ text, omitted }).toEqual({ text: '', omitted: ['name', 'name'] });
});

test.each([
  ['domains', writeDomains],
  ['urls', writeUrls],
] as const)('%s has each line once', (_, write) => {
  const { text } = written(write, blockList(['evil.example', 'evil.example', 'http://evil.example/']));
  expect(text.split('\n')).toHaveLength(3);
});

describe('omits an entry that contains an allowed one', () => {
  const lineOf = (write: WriteBlockList, blocked: string, allowed: string) =>
    written(write, blockList([blocked], [allowed]));

  test.each([
    [writeDomains, 'evil.example', 'good.evil.example'],
    [writeDomains, 'evil.example', 'http://a.evil.example/fine'],
    [writeDomains, 'evil.example', 'http://evil.example/fine'],
    [writeUrls, 'evil.example', 'good.evil.example'],
    [writeUrls, 'http://a.example/kit', 'http://a.example/kit/fine'],
    [writeUrls, 'http://a.example/kit/', 'http://a.example/kit/fine'],
    [writeUrls, 'http://a.example/kit', 'http://a.example/kit?a=b'],
    [writeUrls, 'http://a.example/kit?a=b', 'http://a.example/kit?a=b&c=d'],
    [writeUrls, 'http://a.example/kit*', 'http://a.example/kitchen'],
    [writeUrls, 'http://a.example/', 'http://a.example/fine'],
    [writeAddresses, '198.51.100.0/24', '198.51.100.128/25'],
    [writeAddresses, '198.51.100.0/24', '198.51.100.7'],
    [writeAddresses, '198.51.100.0/24', 'http://198.51.100.7/fine'],
    [writeAddresses, '198.51.100.7', 'http://198.51.100.7/fine'],
    [writeAddresses, '2001:db8::/32', '2001:db8::1'],
  ] as const)('%p: %s with %s', (write, blocked, allowed) => {
    expect(lineOf(write, blocked, allowed)).toEqual({ text: '', lines: [], omitted: ['within'] });
  });

  test.each([
    [writeDomains, 'evil.example', 'good.example'],
    [writeDomains, 'a.evil.example', 'b.evil.example'],
    [writeUrls, 'http://a.example/kit', 'http://a.example/kitchen'],
    [writeUrls, 'http://a.example/kit/fine', 'http://a.example/kit'],
    [writeUrls, 'http://a.example/kit', 'http://b.example/kit/fine'],
    [writeUrls, 'http://a.example/kit?a=b', 'http://a.example/kit?a=bc'],
    [writeUrls, 'http://a.example/kit?a=b', 'http://a.example/kit/fine'],
    [writeUrls, 'http://a.example/kit?a=b', 'http://a.example/kit*'],
    [writeUrls, 'http://a.example/kit', 'http://a.example:8443/kit/fine'],
    [writeAddresses, '198.51.100.0/24', '198.51.101.7'],
    [writeAddresses, '198.51.100.0/24', '198.51.0.0/16'],
    [writeAddresses, '0.0.0.0/0', '2001:db8::1'],
  ] as const)('%p: not %s with %s', (write, blocked, allowed) => {
    const { lines, omitted } = lineOf(write, blocked, allowed);
    expect([lines.length > 0, omitted]).toEqual([true, []]);
  });

  test('but not an entry that is blocked within an allowed one', () => {
    const list = blockList(['evil.example'], ['good.evil.example'], ['bad.good.evil.example']);
    expect(written(writeDomains, list).lines).toEqual(['bad.good.evil.example', '*.bad.good.evil.example']);
  });
});
