import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '#src/base/settings-error.ts';
import { indexList } from '#src/lists/list-index.ts';
import { loadLists } from '#src/lists/local-lists.ts';
import { parseList } from '#src/lists/parse.ts';
import { targetOf } from '#test/support/target.ts';

function isOn(list: string, url: string): boolean {
  return indexList(parseList(list)).find(targetOf(url)) !== null;
}

describe('a host on a list', () => {
  test.each([
    ['evil.example', 'http://evil.example/any?q', true],
    ['evil.example', 'https://login.evil.example:8443/', true],
    ['evil.example', 'https://notevil.example/', false],
    ['evil.example', 'https://evil.example.com/', false],
    ['login.evil.example', 'https://evil.example/', false],
    ['EVIL.Example.', 'https://evil.example/', true],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['user.github.io', 'https://other.github.io/', false],
    ['192.0.2.7', 'http://192.0.2.7/', true],
    ['2.7.0.2', 'http://192.2.7.0/', false],
    ['2001:db8::1', 'http://[2001:db8:0::1]/', true],
    ['[2001:db8::1]', 'http://[2001:db8::1]/', true],
  ])('%s and %s: %p', (entry, url, expected) => {
    expect(isOn(entry, url)).toBe(expected);
  });
});

describe('a URL on a list', () => {
  test.each([
    ['https://evil.example/', 'http://evil.example/x', true],
    ['https://evil.example/', 'http://sub.evil.example/x', false],
    ['https://shared.example/kit', 'https://shared.example/kit', true],
    ['https://shared.example/kit', 'https://shared.example/kit/login.php?x', true],
    ['https://shared.example/kit', 'https://shared.example/kitten', false],
    ['https://shared.example/%6Bit/', 'https://shared.example/kit/a', true],
    ['https://shared.example/f?id=7', 'https://shared.example/f?id=7&x=1', true],
    ['https://shared.example/f?id=7', 'https://shared.example/f?id=8', false],
    ['http://evil.example:8080/', 'http://evil.example:8080/', true],
    ['http://evil.example:8080/', 'http://evil.example/', false],
    ['http://evil.example/', 'http://evil.example:8080/', false],
  ])('%s and %s: %p', (entry, url, expected) => {
    expect(isOn(entry, url)).toBe(expected);
  });

  test('goes before its host, a longer one before a shorter', () => {
    const index = indexList(parseList('evil.example\nhttps://evil.example/a\nhttps://evil.example/a/b'));
    const entries = ['https://evil.example/a/b/c', 'https://evil.example/a', 'https://evil.example/'].map(
      (url) => index.find(targetOf(url))?.entry,
    );
    expect(entries).toEqual(['evil.example/a/b', 'evil.example/a', 'evil.example']);
  });
});

describe('a list', () => {
  test('may have comments, blank lines, CRLF and a byte order mark', () => {
    const list = parseList(
      '\ufeff# ours\r\n\r\nevil.example # seen in March\r\n  spaced.example  \r\nhttps://a.example/#x',
    );
    expect(list.problems).toEqual([]);
    expect(list.entries.map(({ entry, line }) => [entry.host, line])).toEqual([
      ['evil.example', 3],
      ['spaced.example', 4],
      ['a.example', 5],
    ]);
  });

  test.each([
    'hxxp://evil.example/',
    'hxxps://evil[.]example',
    'evil[.]example',
    'https://evil(.)example/',
    '0.0.0.0 evil.example',
    '||evil.example^',
    '*.evil.example',
    '.evil.example',
    'evil.example/path',
    'user:pw@evil.example',
    'https://user@evil.example/',
    'ftp://evil.example/',
    'evil.example:8080',
    'com',
    'co.uk',
    'github.io',
    'localhost',
    'a b',
    'http://',
    '"evil.example"',
  ])('does not take %s, and says so with its line', (line) => {
    const list = parseList(`good.example\n${line}\n`);
    expect(list.entries).toHaveLength(1);
    expect(list.problems).toMatchObject([{ line: 2 }]);
    expect(list.problems[0]?.message).toMatch(/^".+" [a-z].{10,}/);
  });

  test('names the line of the first of equal entries', () => {
    expect(indexList(parseList('a.example\nb.example\nb.example')).find(targetOf('http://x.b.example/'))).toEqual({
      entry: 'b.example',
      line: 2,
    });
  });

  test('of 200,000 hosts finds each of them and nothing else', () => {
    const hosts = Array.from({ length: 200_000 }, (_, i) => `h${i.toString(36)}.example`);
    const index = indexList(parseList(hosts.join('\n')));
    expect(hosts.every((host, i) => index.find(targetOf(`http://${host}/`))?.line === i + 1)).toBe(true);
    expect(hosts.some((host) => index.find(targetOf(`http://x${host}/`)) !== null)).toBe(false);
  });
});

describe('the files of the operator', () => {
  test('are read under their name, and refused whole where a line is wrong', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lists-'));
    try {
      await Bun.write(join(folder, 'ours.txt'), 'evil.example\n');
      await Bun.write(join(folder, 'bad.txt'), 'ok.example\nhxxp://evil.example\n');
      const lists = await loadLists({ block_list: [join(folder, 'ours.txt')], allow_list: [] });
      expect(lists.block.map((list) => list.name)).toEqual(['ours.txt']);
      const load = (name: string) => loadLists({ block_list: [], allow_list: [join(folder, name)] });
      await expect(load('bad.txt')).rejects.toThrow(/line 2: "hxxp:.+defanged/);
      await expect(load('none.txt')).rejects.toBeInstanceOf(SettingsError);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
