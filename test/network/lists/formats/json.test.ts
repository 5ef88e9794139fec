import { describe, expect, test } from 'bun:test';
import { readPieces } from '#src/network/lists/formats/json/json-pieces.ts';
import { createRandom } from '#test/support/random.ts';
import { entriesOf, readList, told, unread } from './read-list.ts';

function warninglist(type: unknown, list: readonly unknown[]): string {
  const rest = {
    description: 'some',
    list,
    matching_attributes: ['hostname', 'domain'],
    name: 'Some',
    type,
    version: 3,
  };
  return `${JSON.stringify(rest, null, 4)}\n`;
}

describe('a MISP warninglist', () => {
  test('of type hostname covers each host with its subdomains, and reports line numbers', async () => {
    expect(entriesOf(await readList(warninglist('hostname', ['a.example', '.b.example'])))).toEqual([
      [4, 'a.example'],
      [5, 'b.example'],
    ]);
  });

  test('of type string lists exact hosts and URLs, and of type cidr address blocks', async () => {
    expect(entriesOf(await readList(warninglist('string', ['a.example', 'https://b.example/x', '192.0.2.7'])))).toEqual(
      [
        [4, 'http://a.example/'],
        [5, 'https://b.example/x'],
        [6, '192.0.2.7'],
      ],
    );
    expect(entriesOf(await readList(warninglist('cidr', ['192.0.2.0/24'])))).toEqual([[4, '192.0.2.0/24']]);
  });

  test('has the same entries if its type is the first member', async () => {
    expect(entriesOf(await readList('{"type":"string","version":1,"list":["a.example"]}'))).toEqual([
      [1, 'http://a.example/'],
    ]);
  });

  test.each(['substring', 'regex', 'other', 7])('of type %p is refused as a whole', async (type) => {
    const items = await readList(warninglist(type, ['a.example', 'b.example']));
    expect(told(items)).toEqual([[12, `is a list of the type "${type}"; expected string, hostname, cidr`]]);
  });

  test('without a type, or with values that are not text, is broken', async () => {
    expect(told(await readList('{"list": ["a.example"]}'))).toEqual([[1, 'begins a warninglist without a type']]);
    expect(told(await readList(warninglist('hostname', ['a.example', 7, { a: [1] }])))).toEqual([
      [5, '"7" is not a value'],
      [6, '"{\\"a\\":[1]}" is not a value'],
      [4, 'a.example', null],
    ]);
  });

  test('may be a single line of any length', async () => {
    const list = Array.from({ length: 20_000 }, (_, n) => `host-${n}.example`);
    const file = JSON.stringify({ list, name: 'x', type: 'hostname', version: 1 });
    expect(entriesOf(await readList(file, 65_536)).length).toBe(20_000);
  });
});

describe('a file with one JSON object per line', () => {
  const feed = [
    '{"asn": "AS1", "brand": "Paypal Inc.", "host": "a.example", "ip": "192.0.2.1", "isotime": "2026-11-21T10:00:00Z", "phishing_kit": null, "url": "https://a.example/login"}',
    '',
    '{"url": "https://b.example/x", "expires": "2027-12-31"}',
  ];

  test('is read as an OpenPhish subscriber feed: each URL with its brand', async () => {
    const items = await readList(`${feed.join('\n')}\n`, 60);
    expect(told(items)).toEqual([
      [1, 'https://a.example/login', 'Paypal Inc.'],
      [3, 'https://b.example/x', null],
    ]);
    expect(items[1]).toMatchObject({ expiresAtMs: Date.UTC(2028, 0, 1) });
  });

  test('has broken lines if they are not objects or have no value', async () => {
    const lines = [
      '{"url": "https://c.exa',
      '[1]',
      '{"brand": "x"}',
      '{"url": "https://d.example/", "expires": "soon"}',
    ];
    expect(unread(await readList([...feed, ...lines].join('\n')))).toEqual({ broken: [4, 5, 6, 7], leftOut: [] });
  });
});

const INDICATOR = {
  type: 'indicator',
  spec_version: '2.1',
  id: 'indicator--1',
  name: 'Phishing link',
  pattern_type: 'stix',
  valid_from: '2026-01-01T00:00:00Z',
};

function bundle(...objects: readonly object[]): string {
  return `{"type": "bundle", "id": "bundle--1", "objects": [\n${objects.map((one) => JSON.stringify(one)).join(',\n')}\n]}\n`;
}

describe('a STIX bundle', () => {
  test.each([
    ["[url:value = 'https://evil.example/a?b=c']", ['https://evil.example/a?b=c']],
    ["[domain-name:value='evil.example']", ['evil.example']],
    ["[ipv4-addr:value = '192.0.2.0/24']", ['192.0.2.0/24']],
    ["[ipv6-addr:value = '2001:db8::1']", ['2001:db8::1']],
    ["[url:value = 'a'] OR [domain-name:value = 'b']", ['a', 'b']],
    ["[url:value = 'a' OR ipv4-addr:value = 'b' ]OR[ url:value = 'c']", ['a', 'b', 'c']],
    ["([domain-name:value = 'a'] OR [domain-name:value = 'b'])", ['a', 'b']],
    ["[(url:value = 'a' OR url:value = 'b') OR domain-name:value = 'c']", ['a', 'b', 'c']],
    ["[domain-name:value IN ('a','b' , 'c')]", ['a', 'b', 'c']],
    ["[url:value = 'it\\'s \\\\ so']", ["it's \\ so"]],
  ])('with the pattern %s contains %p', async (pattern, values) => {
    const items = await readList(bundle({ type: 'identity', id: 'identity--1' }, { ...INDICATOR, pattern }));
    expect(entriesOf(items)).toEqual(values.map((value) => [3, value]));
    expect(items[0]).toMatchObject({ source: 'indicator--1', comment: 'Phishing link', expiresAtMs: null });
  });

  test.each([
    "[url:value MATCHES '^https://evil']",
    "[url:value = 'a' AND domain-name:value = 'b']",
    "[url:value = 'a'] FOLLOWEDBY [url:value = 'b']",
    "[url:value = 'a'] WITHIN 5 SECONDS",
    "[file:hashes.'SHA-256' = 'a']",
    "[url:value = 'a'] OR [file:name = 'b']",
    "[url:value != 'a']",
    "[url:value = 'a",
    "[url:value = 'a'",
    "([url:value = 'a']",
    "[url:value = 'a')]",
    "[url:value = ('a')]",
    "[url:value IN ('a']",
    "[NOT url:value = 'a']",
    `${'('.repeat(50_000)}`,
    '',
    `[url:value = '${'a\\'.repeat(100_000)}]`,
  ])('skips an indicator with an unsupported pattern', async (pattern) => {
    const items = await readList(
      bundle({ ...INDICATOR, pattern }, { ...INDICATOR, pattern: "[url:value = 'x']" }),
      999,
    );
    expect(entriesOf(items)).toEqual([[3, 'x']]);
    expect(unread(items)).toEqual({ broken: [], leftOut: [2] });
  });

  test('skips revoked indicators and other pattern types, and reads benign indicators and expiry times', async () => {
    const pattern = "[domain-name:value = 'a.example']";
    const items = await readList(
      bundle(
        { ...INDICATOR, pattern, revoked: true },
        { ...INDICATOR, pattern, pattern_type: 'snort' },
        { ...INDICATOR, pattern, indicator_types: ['benign'], valid_until: '2027-01-31T12:00:00.5Z' },
        { ...INDICATOR, pattern, valid_until: 'soon' },
        { ...INDICATOR },
      ),
    );
    expect(unread(items)).toEqual({ broken: [5, 6], leftOut: [2, 3] });
    expect(items[2]).toMatchObject({ isException: true, expiresAtMs: Date.UTC(2027, 0, 31, 12, 0, 0, 500) });
  });
});

describe('a JSON file', () => {
  const whole = bundle(...Array.from({ length: 5 }, (_, n) => ({ ...INDICATOR, pattern: `[url:value = '${n}']` })));

  test('that is truncated at any byte is broken on its last line', async () => {
    for (let length = 60; length < whole.trimEnd().length; length++) {
      const cut = whole.slice(0, length);
      const broken = (await readList(cut, 64, 'stix')).filter((item) => 'message' in item);
      expect(broken).toEqual([
        { line: cut.split('\n').length, message: 'is cut short here: the JSON text is not closed' },
      ]);
    }
  });

  test.each([
    ['{"list": ["a"] "b": 1}', 1],
    ['{"list": ["a",]}', 1],
    ['{"list": [,"a"]}', 1],
    ['{"list":\n["a"\n"b"]}', 3],
    ['{"list": ["a"]}\n}', 2],
    ['{"list": ["a"]}\n{"list": ["b"]}', 2],
    ['{"list": ["a"}]', 1],
    ['{"list": [\n"a",\n{"b": }]}', 3],
    ['{\n"list": tru,\n"type": "string"}', 2],
    ["{'list': []}", 1],
  ])('%p is broken on line %d', async (text, line) => {
    expect((await readList(text, 7, 'misp')).filter((item) => 'message' in item).at(-1)).toMatchObject({ line });
  });

  test('of an unknown format is refused, and a value of more than four megabytes is broken', async () => {
    expect(readList('{"a": 1, "b": []}')).rejects.toThrow('its members are "a", "b"');
    const long = await readList(`{"type": "string", "list": ["${'a'.repeat(5_000_000)}"]}`, 65_536);
    expect(told(long)).toEqual([[1, 'begins a value of more than four megabytes']]);
  });

  test('with invalid UTF-8 or a NUL has a broken entry', async () => {
    const file = Buffer.from(warninglist('hostname', ['b\u00fccher.example', 'n\0ul.example']), 'latin1');
    expect(told(await readList(file))).toEqual([
      [4, 'is not UTF-8'],
      [5, 'contains a NUL'],
    ]);
  });

  test('is parsed as by JSON.parse, for any chunk size', async () => {
    const random = createRandom(4);
    const value = (depth: number): unknown => {
      const kind = random.below(depth > 2 ? 4 : 6);
      if (kind === 4) return Array.from({ length: random.below(4) }, () => value(depth + 1));
      if (kind === 5)
        return Object.fromEntries(
          Array.from({ length: random.below(4) }, () => [random.text(3, 'ab"\\,{'), value(depth + 1)]),
        );
      return [random.text(6, 'a"\\[]{},:\n é'), random.below(100), null, true][kind];
    };
    for (let i = 0; i < 500; i++) {
      const object = Object.fromEntries(Array.from({ length: random.below(5) }, (_, n) => [`m${n}"[`, value(0)]));
      const text = Buffer.from(JSON.stringify(object, null, random.below(3)));
      async function* chunks() {
        for (let from = 0; from < text.length; from += 3) yield text.subarray(from, from + 3);
      }
      const read: Record<string, unknown> = {};
      const faults = await Array.fromAsync(
        readPieces(chunks(), ['$.*'], ({ key, value: one }) => {
          read[String(key)] = one;
          return [];
        }),
      );
      expect(faults.flat()).toEqual([]);
      expect(read).toEqual(object);
    }
  });
});
