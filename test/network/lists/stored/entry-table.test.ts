import { describe, expect, test } from 'bun:test';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { NEVER } from '#src/network/lists/stored/entry-facts.ts';
import { createEntryTable } from '#src/network/lists/stored/entry-table.ts';
import { readStoredEntry, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import { targetOf } from '#test/support/target.ts';

const NOW = Date.UTC(2027, 0, 1);

function tableOf(...values: readonly (string | readonly [value: string, expiresAtMs: number])[]) {
  const table = createEntryTable();
  for (const [place, one] of values.entries()) {
    const [value, expiresAtMs] = typeof one === 'string' ? [one, null] : one;
    const entry = readStoredEntry(value);
    if ('problem' in entry) throw new Error(`${value} ${entry.problem}`);
    const bytes = Buffer.from(writeStoredEntry(entry));
    const expiresAt = expiresAtMs === null ? NEVER : expiresAtMs / 1000;
    table.add(bytes, 0, bytes.length, { line: place + 1, addedAt: 1000 + place, expiresAt, isException: false });
  }
  return table;
}

const lineOf = (table: ReturnType<typeof tableOf>, url: string, nowMs = NOW) =>
  table.find(targetOf(url), nowMs)?.line ?? null;

describe('the entries of a stored list', () => {
  test.each([
    ['45.9.0.0/16', 'http://45.9.20.1/', true],
    ['45.9.0.0/16', 'http://45.10.0.1/', false],
    ['45.9.0.0/16', 'http://45.9.example/', false],
    ['45.9.20.1/32', 'http://45.9.20.1:8080/x', true],
    ['2a01:4f8::/32', 'http://[2a01:4f8:1::2]/', true],
    ['2a01:4f8::/32', 'http://[2a01:4f9::2]/', false],
    ['2a01:4f8::/32', 'http://45.9.20.1/', false],
    ['45.9.20.0/24', 'http://[::ffff:45.9.20.1]/', true],
    ['https://shared.example/kit-*', 'http://shared.example/kit-7/login?x', true],
    ['https://shared.example/kit-*', 'http://shared.example/kit-', true],
    ['https://shared.example/kit-*', 'http://shared.example/kit', false],
    ['https://shared.example/kit-*', 'http://a.shared.example/kit-7', false],
    ['https://shared.example/kit?id=*', 'http://shared.example/kit?id=7', true],
    ['https://shared.example/kit?id=*', 'http://shared.example/kit?i=7', false],
    ['https://shared.example/kit?*', 'http://shared.example/kit?i=7', true],
    ['https://shared.example/kit?*', 'http://shared.example/kit', false],
    ['https://shared.example:8080/kit*', 'http://shared.example:8080/kits', true],
    ['https://shared.example:8080/kit*', 'http://shared.example/kits', false],
    ['https://shared.example/*', 'http://shared.example/any', true],
    ['https://shared.example/*', 'http://a.shared.example/any', false],
    // A URL of which the text is that of a block.
    ['http://45.9.0.0/16', 'http://45.9.20.1/', false],
    ['http://45.9.0.0/16', 'http://45.9.0.0/16', true],
    ['45.9.0.0/16', 'http://45.9.0.0/', true],
  ])('%s covers %s: %p', (entry, url, expected) => {
    const table = tableOf(entry);
    expect(lineOf(table, url) !== null).toBe(expected);
    const bytes = Buffer.from(`\t${url}\t`);
    if (expected) expect(table.mayCover(bytes, 1, bytes.length - 1)).toBeTrue();
  });

  test.each([
    ['http://a.other.example/shared.example', false],
    ['http://xshared.example/', false],
    ['http://shared.example@other.example/', false],
    ['http://shared.example.other/', false],
    ['http://45.10.0.1/', false],
    ['http://user@a.b.shared.example:8080?x', true],
    ['https://shared.example', true],
    ['https://shared.example.', true],
    ['http://urls.example:443/other', true],
    ['http://urls.example:80/other', true],
    ['http://urls.example:8080/other', false],
    ['http:', false],
  ])('whether an entry may cover %s is known from its host: %p', (url, expected) => {
    const table = tableOf('shared.example', 'http://urls.example/kit');
    expect(table.mayCover(Buffer.from(url), 0, url.length)).toBe(expected);
  });

  test('the narrowest entry is reported, in canonical form', () => {
    const table = tableOf(
      '45.9.0.0/16',
      '45.9.20.0/24',
      '45.9.20.1',
      'https://45.9.20.1/a',
      'https://45.9.20.1/a*',
      'https://45.9.20.1/a/b?x=1',
      'https://45.9.20.1/a/b?x=*',
      'evil.example',
      'www.evil.example',
      'https://www.evil.example/',
      'https://[2a01:4f8::1]:8443/x',
    );
    const named = [
      ['http://45.9.1.1/', 1, '45.9.0.0/16'],
      ['http://45.9.20.2/', 2, '45.9.20.0/24'],
      ['http://45.9.20.1/', 3, '45.9.20.1'],
      ['http://45.9.20.1/a', 4, 'http://45.9.20.1/a'],
      ['http://45.9.20.1/ab', 5, 'http://45.9.20.1/a*'],
      ['http://45.9.20.1/a/b?x=1', 6, 'http://45.9.20.1/a/b?x=1'],
      ['http://45.9.20.1/a/b?x=1&y', 6, 'http://45.9.20.1/a/b?x=1'],
      ['http://45.9.20.1/a/b?x=12', 7, 'http://45.9.20.1/a/b?x=*'],
      ['http://x.evil.example/', 8, 'evil.example'],
      ['http://x.www.evil.example/', 9, 'www.evil.example'],
      ['http://www.evil.example/q', 10, 'http://www.evil.example/'],
      ['https://[2a01:4f8::1]:8443/x/y', 11, 'http://[2a01:4f8::1]:8443/x'],
    ] as const;
    for (const [url, line, entry] of named) expect(table.find(targetOf(url), NOW)).toMatchObject({ line, entry });
    const widths = [
      'http://45.9.1.1/',
      'http://45.9.20.2/',
      'http://45.9.20.1/',
      'http://45.9.20.1/ab',
      'http://45.9.20.1/a',
    ];
    const narrowness = widths.map((url) => table.find(targetOf(url), NOW)?.narrowness ?? 0);
    expect(narrowness.toSorted((a, b) => a - b)).toEqual(narrowness);
  });

  test('an expired entry covers nothing, and a wider entry applies instead', () => {
    const table = tableOf('evil.example', ['https://evil.example/a', NOW], ['45.9.0.0/16', NOW]);
    expect(lineOf(table, 'http://evil.example/a', NOW - 1)).toBe(2);
    expect(lineOf(table, 'http://evil.example/a', NOW)).toBe(1);
    expect(lineOf(table, 'http://45.9.1.1/', NOW - 1)).toBe(3);
    expect(lineOf(table, 'http://45.9.1.1/', NOW)).toBeNull();
  });

  test('cover the same URLs as in a list file of the settings', () => {
    const hosts = ['a.example', 'b.a.example', 'c.example', 'x.c.example'];
    const paths = ['', '/', '/k', '/k/', '/k/l', '/k/l?q', '/k?q=1', '/k?q=1&r=2', '/k?q=12', '/kl'];
    const urls = hosts.flatMap((host) => paths.map((path) => `http://${host}${path}`));
    for (let round = 0; round < 64; round++) {
      const chosen = [...hosts, ...urls].filter((_, place) => (place * 7 + round * 13) % 11 < 2);
      const [kept, file] = [tableOf(...chosen), indexList(parseList(chosen.join('\n')))];
      for (const url of urls) {
        const one = kept.find(targetOf(url), NOW);
        const other = file.find(targetOf(url));
        expect([url, one?.entry.replace('http://', '')]).toEqual([url, other?.entry]);
      }
    }
  });

  test('an entry that is added twice remains unchanged', () => {
    const table = tableOf('a.example', 'b.example', 'A.example.', 'https://c.example/x', 'http://c.example/%78');
    expect(table.size).toBe(3);
    expect(lineOf(table, 'http://a.example/')).toBe(1);
    expect(table.factsOf('http://c.example/x')).toEqual({
      line: 4,
      addedAt: 1003,
      expiresAt: NEVER,
      isException: false,
    });
    expect(table.factsOf('d.example')).toBeNull();
  });

  test('each of 20,000 hosts is found, and no other host', () => {
    const hosts = Array.from({ length: 20_000 }, (_, i) => `h${i.toString(36)}.example`);
    const table = tableOf(...hosts);
    expect(hosts.every((host, i) => lineOf(table, `http://${host}/`) === i + 1)).toBe(true);
    expect(hosts.some((host) => lineOf(table, `http://x${host}/`) !== null)).toBe(false);
  });
});

test('an entry is equal after writing and reading', () => {
  const values = [
    'evil.example',
    'https://e.example/a?b=c',
    'e.example',
    'http://e.example/a*',
    'http://e.example/a?*',
    '45.9.0.0/16',
    '2a01:4f8::/32',
    'http://[2a01:4f8::1]:8080/x*',
    'github.io',
  ];
  for (const value of values) {
    const entry = readStoredEntry(value);
    if ('problem' in entry) throw new Error(entry.problem);
    expect(readStoredEntry(writeStoredEntry(entry))).toEqual(entry);
  }
});
