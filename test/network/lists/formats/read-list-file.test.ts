import { describe, expect, test } from 'bun:test';
import { ListFileError } from '#src/network/lists/formats/list-format.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { readList, told, unread } from './read-list.ts';

describe('a list file', () => {
  test('with one entry per line may have comments, blank lines, CRLF and a byte order mark', async () => {
    const file = '\ufeff# ours\r\n\r\nevil.example # seen in March\r\n  https://a.example/#x  \r\n10.0.0.0/8';
    for (const size of [1, 5, 1000]) {
      expect(told(await readList(file, size))).toEqual([
        [3, 'evil.example', 'seen in March'],
        [4, 'https://a.example/#x', null],
        [5, '10.0.0.0/8', null],
      ]);
    }
  });

  test('in hosts format lists exact hosts, without those of the local system', async () => {
    const file =
      '# hosts\n127.0.0.1 localhost\n::1 ip6-localhost\n0.0.0.0 evil.example www.evil.example # bad\nevil.example';
    expect(told(await readList(file.replace('\nevil.example', '')))).toEqual([
      [4, 'http://evil.example/', 'bad'],
      [4, 'http://www.evil.example/', 'bad'],
    ]);
    expect(told(await readList(file, 7, 'hosts')).at(-1)).toEqual([5, 'evil.example', null]);
  });

  test('reports each unreadable line with its reason, and reads the other lines', async () => {
    const file = Buffer.concat([
      Buffer.from('a.example\n'),
      Buffer.from([0x62, 0xfc, 0x63, 0x68, 0x0a]),
      Buffer.from('b\0.example\n'),
      Buffer.alloc(1_000_000, 'x'),
      Buffer.from('\nc.example\n'),
    ]);
    expect(told(await readList(file, 10_000))).toEqual([
      [1, 'a.example', null],
      [2, 'is not UTF-8'],
      [3, 'contains a NUL'],
      [4, 'is longer than 64 KiB'],
      [5, 'c.example', null],
    ]);
  });

  test('that is too large, in UTF-16 or of an unknown format is refused', async () => {
    async function* endless() {
      const chunk = Buffer.alloc(16 * 1024 * 1024, 'x');
      for (;;) yield chunk;
    }
    const readAll = async () => {
      for await (const _ of readListFile(endless()));
    };
    expect(readAll()).rejects.toThrow(new ListFileError('holds more than 512 MiB'));
    expect(readList(Buffer.from('\ufeffevil.example\n', 'utf16le'))).rejects.toThrow('is UTF-16: save it as UTF-8');
    expect(readList('a', 1, 'spreadsheet')).rejects.toThrow('cannot be read as "spreadsheet"');
  });

  test.each([
    ['gzip', Bun.gzipSync(Buffer.from('evil.example'))],
    ['zstd', Bun.zstdCompressSync('evil.example')],
    ['zip', Buffer.from('504b030414000000', 'hex')],
  ])('compressed with %s is refused, and the message names the format', (name, file) => {
    expect(readList(file)).rejects.toThrow(`is packed with ${name}: unpack it first`);
  });

  test('in hosts format skips lines that map a name to a real address', async () => {
    const items = await readList('0.0.0.0 evil.example\n192.168.1.2 nas\nfe80::1%lo0 localhost\n');
    expect(unread(items)).toEqual({ broken: [], leftOut: [2] });
  });
});
