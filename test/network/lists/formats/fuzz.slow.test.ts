import { describe, expect, test } from 'bun:test';
import { isBadLine, ListFileError, type ListFileItem } from '#src/network/lists/formats/list-format.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { LIST_FORMATS } from '#src/network/lists/settings.ts';
import { readStoredEntry, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import { mutatedBytes } from '#test/support/mutated-bytes.ts';
import { createRandom, type Random } from '#test/support/random.ts';
import { readList } from './read-list.ts';

const SAMPLES = [
  '# ours\nevil.example # seen\nhttps://a.example/x?y=1,2\n192.0.2.0/24\nhttps://b.example/l*\n',
  '127.0.0.1 localhost\r\n0.0.0.0 evil.example www.evil.example # bad\r\n::1 ip6-loopback\r\n',
  'value,expiration,comment\nevil.example,2027-12-31,"two\nlines, ""so"""\nb.example,,\n',
  '# id,dateadded,url,url_status,threat,tags\n"1","2026-11-21 06:02:21","http://192.0.2.7:32794/m","online","x","a,b"\n',
  '[Adblock Plus 2.0]\n! t\n||evil.example^\n@@||ok.evil.example^$document\nb.example##.ad\n||c.example/x\n',
  '{"list": ["a.example", ".b.example"],\n"type": "hostname", "version": 1}\n',
  `{"type": "bundle", "objects": [{"type": "indicator", "id": "indicator--1",\n"pattern": "[url:value = 'http://a.example/'] OR [ipv4-addr:value = '192.0.2.1']"}]}\n`,
  '{"url": "https://a.example/", "brand": "x"}\n{"url": "https://b.example/"}\n',
  '# "first_seen_utc","ioc_id","ioc_value","ioc_type"\n"2026", "1", "evil.example", "domain"\n"2026", "2", "d41d8cd98f00b204e9800998ecf8427e", "md5_hash"\n',
  '{"17":[{"dateadded":"2026","url":"http://a.example/x","tags":["a","b"]}],\n"18":[{"url":"http://b.example/"}]}\n',
  '{"Event":{"Attribute":[{"type":"domain|ip","value":"a.example|192.0.2.1"}],\n"Object":[{"Attribute":[{"value":"b.example"}]}]}}\n',
  '{"cidr":"192.0.2.0/24","sblid":"SBL1"}\n{"type":"metadata","records":1}\n',
  'server:\n local-zone: "a.example" static\n local-zone: b.example redirect\n local-data: "b.example A 0.0.0.0"\n',
  '; DROP\n192.0.2.0/24 ; SBL1\n.evil.example\n*.b.example\nc.example/x?y\nd.example:8080\n192.0.2.1:80\n',
  'a.example\rb.example\r0.0.0.0 c.example\r',
].map((text) => Buffer.from(text));

const PIECES = [
  '\0',
  '"',
  "'",
  ',',
  '\n',
  '\r',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '||',
  '@@',
  '##',
  '\ufeff',
  'ü',
  '😀',
  '*',
  '^',
];

const mutated = (random: Random) =>
  mutatedBytes(random, {
    samples: SAMPLES,
    changes: 5,
    piece: (from) => Buffer.from(from.pick(PIECES).repeat(1 + from.below(3))),
    foreign: (from) => from.pick(SAMPLES).subarray(0, from.below(60)),
  });

/** What is read, or the message with which the file is refused. */
async function outcomeOf(
  file: Uint8Array,
  size: number,
  format: string | null,
): Promise<readonly ListFileItem[] | string> {
  try {
    return await readList(file, size, format);
  } catch (error) {
    if (error instanceof ListFileError) return error.message;
    throw error;
  }
}

describe('a damaged list file', () => {
  const random = createRandom(17);
  const files = Array.from({ length: 1500 }, () => mutated(random));

  test('is read or refused with a message, and each item has a valid line number', async () => {
    for (const file of files) {
      const outcome = await outcomeOf(file, 4096, random.pick([null, ...LIST_FORMATS]));
      const lines = file.toString().split(/\r\n?|\n/).length;
      if (typeof outcome === 'string') expect(outcome).toMatch(/^[a-z]/);
      else {
        for (const item of outcome) {
          expect(item.line).toBeGreaterThanOrEqual(1);
          expect(item.line).toBeLessThanOrEqual(lines);
          expect(isBadLine(item) ? item.message : item.value).not.toBe('');
          const entry = isBadLine(item) ? { problem: item.message } : readStoredEntry(item.value);
          if (!('problem' in entry)) expect(writeStoredEntry(entry)).toMatch(/^(?:(?!%EF%BF%BD)[!-~])+$/);
        }
      }
    }
  });

  test('has the same result for any chunk size', async () => {
    for (const file of files.slice(0, 400)) {
      const format = random.pick([null, ...LIST_FORMATS]);
      expect(await outcomeOf(file, 1 + random.below(9), format)).toEqual(await outcomeOf(file, 100_000, format));
    }
  });
});

describe('a host name in any spelling', () => {
  const SPELLINGS = [
    'bücher.example',
    'BÜCHER.EXAMPLE',
    'bu\u0308cher.example',
    'xn--bcher-kva.example',
    'XN--BCHER-KVA.example.',
    'bücher。example',
  ];
  test.each([
    ['plain', (name: string) => name],
    ['csv', (name: string) => `value,expiration,comment\n"${name}",,\n`],
    ['adblock', (name: string) => `||${name}^\n`],
    ['misp', (name: string) => JSON.stringify({ type: 'hostname', list: [name] })],
    [
      'stix',
      (name: string) =>
        JSON.stringify({ objects: [{ type: 'indicator', pattern: `[domain-name:value = '${name}']` }] }),
    ],
  ])('is the same entry in %s', async (format, write) => {
    for (const name of SPELLINGS) {
      const [item] = await readList(write(name), 5, format);
      const entry = item && 'value' in item ? readStoredEntry(item.value) : { problem: JSON.stringify(item) };
      expect('problem' in entry ? entry : writeStoredEntry(entry)).toBe('xn--bcher-kva.example');
    }
  });
});

test('reads a large file of any format in bounded pieces', async () => {
  const lines: Readonly<Record<string, readonly [begin: string, line: string, end: string]>> = {
    csv: ['value,expiration,comment\n', '"http://a.example/x",,"some, and more"\n', ''],
    adblock: ['', 'a.example##.ad\n', ''],
    hosts: ['', '0.0.0.0 a.example\n', ''],
    stix: [
      '{"type":"bundle","objects":[{}',
      `,{"type":"indicator","pattern":"[url:value = 'http://a.example/']"}\n`,
      ']}',
    ],
  };
  for (const [format, [begin, line, end]] of Object.entries(lines)) {
    const chunk = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
    async function* chunks() {
      yield Buffer.from(begin);
      for (let i = 0; i < 200; i++) yield chunk;
      yield Buffer.from(end);
    }
    let most = 0;
    let broken = 0;
    for await (const items of readListFile(chunks(), format)) {
      most = Math.max(most, items.length);
      broken += items.filter((item) => isBadLine(item) && !('isSkipped' in item)).length;
    }
    expect(broken).toBe(0);
    expect(most).toBeLessThanOrEqual(Math.ceil(65_536 / line.length) + 1);
  }
});
