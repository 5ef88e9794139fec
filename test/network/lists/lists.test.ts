import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import { loadLists } from '#src/network/lists/local-lists.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

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
    ["https://evil.example/a,b;c='d'|e^f*g", "https://evil.example/a,b;c='d'|e^f*g/h", true],
    ['https://shared.example/%6Bit/', 'https://shared.example/kit/a', true],
    ['https://shared.example/f?id=7', 'https://shared.example/f?id=7&x=1', true],
    ['https://shared.example/f?id=7', 'https://shared.example/f?id=7', true],
    ['https://shared.example/f?id=7', 'https://shared.example/f?id=8', false],
    ['https://shared.example/f?id=7', 'https://shared.example/f?id=77', false],
    ['https://shared.example/f?id=7', 'https://shared.example/f', false],
    ['https://shared.example/f?id=7', 'https://shared.example/g?id=7', false],
    ['https://shared.example/f?id=7', 'https://shared.example/f/g?id=7', false],
    ['https://shared.example/f?id=7', 'https://shared.example/?id=7', false],
    ['https://shared.example/f', 'https://shared.example/f?id=7', true],
    ['HTTPS://shared.example/kit', 'http://shared.example/kit', true],
    ['http://evil.example:8080/', 'http://evil.example:8080/', true],
    ['http://evil.example:8080/', 'http://evil.example/', false],
    ['http://evil.example/', 'http://evil.example:8080/', false],
    ['http://evil.example:443/', 'http://evil.example/', true],
    ['https://evil.example:80/', 'https://evil.example/', true],
    ['http://evil.example/', 'https://evil.example:80/', true],
    ['http://evil.example/', 'http://evil.example:443/', true],
  ])('%s and %s: %p', (entry, url, expected) => {
    expect(isOn(entry, url)).toBe(expected);
  });

  test('has precedence over its host, a longer URL over a shorter one, and is reported in canonical form', () => {
    const lines = [
      'evil.example',
      'https://evil.example/a',
      'https://evil.example/a/b?x=1',
      'https://evil.example/a/b',
      'https://evil.example/a/b?x=1&y=2',
      'http://evil.example:8080/c/',
      'https://[2001:db8::1]/d',
    ];
    const index = indexList(parseList(lines.join('\n')));
    expect(index.size).toBe(lines.length);
    const named = [
      ['https://evil.example/a/b/c', 'evil.example/a/b', 4],
      ['https://evil.example/a/b?x=1', 'evil.example/a/b?x=1', 3],
      ['https://evil.example/a/b?x=1&y=2&z=3', 'evil.example/a/b?x=1&y=2', 5],
      ['https://evil.example/a/b?x=2', 'evil.example/a/b', 4],
      ['https://evil.example/a', 'evil.example/a', 2],
      ['https://evil.example/', 'evil.example', 1],
      ['http://evil.example:8080/c/x', 'evil.example:8080/c/', 6],
      ['http://[2001:db8::1]/d', '[2001:db8::1]/d', 7],
    ] as const;
    for (const [url, entry, line] of named) expect(index.find(targetOf(url))).toEqual({ entry, line });
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

  const DEFANGED = 'is defanged: write the real host or URL';
  const SPACED = 'contains white space: write one host or URL per line';
  const PREFIXED = 'must not begin with a star or dot: a host includes its subdomains';
  const FOREIGN = 'is in another format: write a plain host or URL';
  const NOT_WEB = 'is not an http or https URL';
  const NO_HOST = 'is neither a host nor a URL that begins with http:// or https://';
  const WITH_USER = 'has credentials, which list entries must not have';
  const suffix = (host: string) => `is a public suffix, so it would cover every site below ${host}`;
  test.each([
    ['hxxp://evil.example/', DEFANGED],
    ['HXXPS://evil.example/', DEFANGED],
    ['h**p://evil.example/', DEFANGED],
    ['http[:]//evil.example/', DEFANGED],
    ['hxxps://evil[.]example', DEFANGED],
    ['evil[.]example', DEFANGED],
    ['evil[DOT]example', DEFANGED],
    ['https://evil(.)example/', DEFANGED],
    ['https://evil[dot]example/', DEFANGED],
    ['0.0.0.0 evil.example', SPACED],
    ['https://evil.example/a b', SPACED],
    ['a b', SPACED],
    ['*.evil.example', PREFIXED],
    ['.evil.example', PREFIXED],
    ['||evil.example^', FOREIGN],
    ['"evil.example"', FOREIGN],
    ['https://evil.example/<b>', FOREIGN],
    ['https://evil.example/a*', FOREIGN],
    ['evil*.example', FOREIGN],
    ['a.example,b.example', FOREIGN],
    ['ftp://evil.example/', NOT_WEB],
    ['FTP://evil.example/', NOT_WEB],
    ['xhttp://evil.example/', NOT_WEB],
    ['evil.example/path', NO_HOST],
    ['user:pw@evil.example', NO_HOST],
    ['evil.example:8080', NO_HOST],
    ['1.2.3.4.5', NO_HOST],
    ['evil.example/ftp://', NO_HOST],
    ['https://user@evil.example/', WITH_USER],
    ['https://:pw@evil.example/', WITH_USER],
    ['com', suffix('com')],
    ['co.uk', suffix('co.uk')],
    ['github.io', suffix('github.io')],
    ['localhost', suffix('localhost')],
    ['_printer', suffix('_printer')],
    ['http://', 'must name a host, as in https://example.com/: write a host or a URL'],
  ])('rejects %s and reports its line: it %s', (line, problem) => {
    const list = parseList(`good.example\n${line}\n`);
    expect(list.entries).toHaveLength(1);
    expect(list.problems).toEqual([{ line: 2, message: `${JSON.stringify(line)} ${problem}` }]);
  });

  test.each([
    ['x.notasuffix', { kind: 'host', host: 'x.notasuffix' }],
    ['site.co.uk', { kind: 'host', host: 'site.co.uk' }],
    [
      'http://evil.example/a.b/(c)?u=https://x.example/',
      { kind: 'address', host: 'evil.example', port: null, path: '/a.b/(c)', query: 'u=https://x.example/' },
    ],
    ['http://evil.example:8080', { kind: 'address', host: 'evil.example', port: 8080, path: '/', query: '' }],
    ['Https://evil.example:80/', { kind: 'address', host: 'evil.example', port: null, path: '/', query: '' }],
  ] as const)('accepts %s', (line, entry) => {
    expect(parseList(line)).toMatchObject({ entries: [{ entry, line: 1 }], problems: [] });
  });

  test('may have comments at the start of a line or after white space; another # is part of the entry', () => {
    const list = parseList('#evil.example\na.example#b\n\tb.example\t# c # d');
    expect(list.entries.map(({ entry }) => entry.host)).toEqual(['b.example']);
    expect(list.problems).toEqual([{ line: 2, message: `"a.example#b" ${NO_HOST}` }]);
  });

  test('truncates a long line in its message', () => {
    const messageOf = (line: string) => parseList(line).problems[0]?.message;
    expect(messageOf(`/${'x'.repeat(79)}`)).toBe(`"/${'x'.repeat(79)}" ${NO_HOST}`);
    expect(messageOf(`/${'x'.repeat(80)}`)).toBe(`"/${'x'.repeat(78)}…" ${NO_HOST}`);
  });

  test('reports the line of the first of equal entries', () => {
    const index = indexList(parseList('a.example\nb.example\nb.example\nhttp://c.example/x\nhttps://c.example/x'));
    expect(index.find(targetOf('http://x.b.example/'))).toEqual({ entry: 'b.example', line: 2 });
    expect(index.find(targetOf('http://c.example/x'))).toEqual({ entry: 'c.example/x', line: 4 });
  });

  test('does not match a host that is only the beginning of a listed host', () => {
    for (let i = 0; i < 200; i++) {
      const index = indexList(parseList(`h${i}.example.org`));
      expect(index.find(targetOf(`http://h${i}.example/`))).toBeNull();
      expect(index.find(targetOf(`http://h${i}.example.org/`))).not.toBeNull();
    }
  });

  test('with 20,000 hosts finds each of them and no other host', () => {
    const hosts = Array.from({ length: 20_000 }, (_, i) => `h${i.toString(36)}.example`);
    const index = indexList(parseList(hosts.join('\n')));
    expect(hosts.every((host, i) => index.find(targetOf(`http://${host}/`))?.line === i + 1)).toBe(true);
    expect(hosts.some((host) => index.find(targetOf(`http://x${host}/`)) !== null)).toBe(false);
  });
});

describe('list files of the operator', () => {
  const load = (folder: string, ...names: string[]) =>
    loadLists({ block_list: [], allow_list: names.map((name) => join(folder, name)) });

  test('are read as block or allow list, with the name of the file', async () => {
    await using directory = temporaryDirectory();
    await Bun.write(join(directory.path, 'ours.txt'), 'evil.example\n');
    await Bun.write(join(directory.path, 'friends.txt'), 'good.example\nbetter.example\n');
    const lists = await loadLists({
      block_list: [join(directory.path, 'ours.txt')],
      allow_list: [join(directory.path, 'friends.txt')],
    });
    const sizes = (named: typeof lists.block) => named.map(({ name, index }) => [name, index.size]);
    expect(sizes(lists.block)).toEqual([['ours.txt', 1]]);
    expect(sizes(lists.allow)).toEqual([['friends.txt', 2]]);
  });

  test('are refused as a whole if lines are invalid, and the first ten lines are reported', async () => {
    await using directory = temporaryDirectory();
    const wrong = (count: number) => 'ok.example\n'.concat('hxxp://evil.example\n'.repeat(count));
    await Bun.write(join(directory.path, 'one.txt'), wrong(1));
    await Bun.write(join(directory.path, 'ten.txt'), wrong(10));
    await Bun.write(join(directory.path, 'eleven.txt'), wrong(11));
    await Bun.write(join(directory.path, 'twelve.txt'), wrong(12));
    const sentence = (name: string, count: number) =>
      `allow_list is "${join(directory.path, name)}", which has lines that are neither a host nor a URL:`.concat(
        ...Array.from(
          { length: count },
          (_, i) => `\nline ${i + 2}: "hxxp://evil.example" is defanged: write the real host or URL`,
        ),
      );
    await expect(load(directory.path, 'one.txt', 'ten.txt', 'eleven.txt', 'twelve.txt')).rejects.toMatchObject({
      problems: [
        sentence('one.txt', 1),
        sentence('ten.txt', 10),
        `${sentence('eleven.txt', 10)}\nand 1 more`,
        `${sentence('twelve.txt', 10)}\nand 2 more`,
      ],
    });
    await expect(load(directory.path, 'none.txt')).rejects.toBeInstanceOf(SettingsError);
  });
});
