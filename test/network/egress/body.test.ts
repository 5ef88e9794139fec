import { describe, expect, test } from 'bun:test';
import zlib from 'node:zlib';
import { decodeBody } from '#src/network/egress/http/body.ts';

const TEXT = 'the quick brown fox jumps over the lazy dog. '.repeat(500);
const MAX_BYTES = 1 << 20;

const CODED: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
};

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe.each(Object.entries(CODED))('%s', (coding, encode) => {
  test('is decoded', async () => {
    const { bytes, ...rest } = await decodeBody(encode(TEXT), coding.toUpperCase(), MAX_BYTES);
    expect(text(bytes)).toBe(TEXT);
    expect(rest).toMatchObject({ truncated: false, decoded: true });
  });

  test('is truncated at any byte budget', async () => {
    for (const maxBytes of [0, 1, 100, TEXT.length - 1]) {
      const { bytes, truncated } = await decodeBody(encode(TEXT), coding, maxBytes);
      expect([text(bytes), truncated]).toEqual([TEXT.slice(0, maxBytes), true]);
    }
  });

  test('returns a prefix of the content for truncated input', async () => {
    const random = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 251));
    const whole = encode(random.toString('latin1'));
    const expected = Buffer.from(random.toString('latin1'));
    for (let cut = 0; cut < whole.length; cut += Math.ceil(whole.length / 40)) {
      const { bytes } = await decodeBody(whole.subarray(0, cut), coding, MAX_BYTES);
      expect(expected.subarray(0, bytes.length).equals(bytes)).toBeTrue();
    }
  });

  test('accepts an empty body', async () => {
    expect(await decodeBody(new Uint8Array(), coding, MAX_BYTES)).toMatchObject({ truncated: false, decoded: true });
  });

  test('reports input in another format as not decoded', async () => {
    expect(await decodeBody(Buffer.from('<html>plain</html>'), coding, MAX_BYTES)).toMatchObject({ decoded: false });
  });
});

test.each([
  [23, true],
  [24, false],
])('zstd with a window of 2 to the power of %d bytes is decoded: %j', async (windowLog, isUndone) => {
  // RFC 8878 §3.1.1: magic number, no size of the whole, the window, and a last block of four bytes as they are.
  const header = [0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, 1 + (4 << 3), 0, 0];
  const { bytes, decoded } = await decodeBody(Buffer.from([...header, ...Buffer.from('page')]), 'zstd', MAX_BYTES);
  expect([text(bytes), decoded]).toEqual([isUndone ? 'page' : '', isUndone]);
});

test('ignores bytes after the end of gzip and deflate data', async () => {
  for (const coding of ['gzip', 'deflate']) {
    const coded = Buffer.concat([CODED[coding]?.(TEXT) ?? Buffer.alloc(0), Buffer.from('junk junk junk')]);
    expect(text((await decodeBody(coded, coding, MAX_BYTES)).bytes)).toBe(TEXT);
  }
});

test('ignores a wrong gzip checksum, with any header fields', async () => {
  const body = zlib.deflateRawSync(TEXT);
  const headers = [
    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
    [0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 9, 9, 0x61, 0, 0x62, 0x63, 0, 1, 1],
  ];
  for (const header of headers) {
    const coded = Buffer.concat([Uint8Array.from(header), body, Buffer.alloc(8)]);
    expect(text((await decodeBody(coded, 'gzip', MAX_BYTES)).bytes)).toBe(TEXT);
  }
});

test('returns the bytes unchanged if one of the codings is unknown, as browsers do', async () => {
  for (const coding of ['compress', 'foo', 'gzip, foo', 'constructor', '__proto__', 'identity, ']) {
    const body = await decodeBody(Buffer.from('text'), coding, MAX_BYTES);
    expect({ ...body, bytes: Buffer.from(body.bytes).toString() }).toEqual({
      bytes: 'text',
      truncated: false,
      decoded: true,
    });
    expect(await decodeBody(Buffer.from('text'), coding, 3)).toMatchObject({ truncated: true, decoded: true });
  }
});

test('decodes several codings from last to first, each within the budget', async () => {
  const text = 'a page '.repeat(100);
  const twice = zlib.brotliCompressSync(zlib.gzipSync(text));
  const undone = await decodeBody(twice, 'gzip, br', MAX_BYTES);
  expect(Buffer.from(undone.bytes).toString()).toBe(text);
  expect(await decodeBody(twice, 'gzip, br', 20)).toMatchObject({ truncated: true });
  expect(await decodeBody(twice, 'br, gzip', MAX_BYTES)).toMatchObject({ decoded: false });
  const ninefold = Array(9).fill('gzip').join(', ');
  expect(await decodeBody(twice, ninefold, MAX_BYTES)).toMatchObject({ bytes: new Uint8Array(), decoded: false });
});

test('decodes up to eight codings', async () => {
  let coded = Buffer.from('a page');
  for (let times = 0; times < 8; times++) coded = zlib.gzipSync(coded);
  const { bytes, ...rest } = await decodeBody(coded, Array(8).fill('gzip').join(','), MAX_BYTES);
  expect(text(bytes)).toBe('a page');
  expect(rest).toMatchObject({ truncated: false, decoded: true });
});

test('returns the bytes unchanged if one of nine codings is unknown', async () => {
  const { bytes, decoded } = await decodeBody(Buffer.from('text'), `${'gzip, '.repeat(8)}foo`, MAX_BYTES);
  expect([text(bytes), decoded]).toEqual(['text', true]);
});

test('decodes deflate data without a zlib header, and with a wrong checksum', async () => {
  expect(text((await decodeBody(zlib.deflateRawSync(TEXT), 'deflate', MAX_BYTES)).bytes)).toBe(TEXT);
  const noChecksum = Buffer.concat([Uint8Array.of(0x78, 0x9c), zlib.deflateRawSync(TEXT), Buffer.alloc(4)]);
  expect(text((await decodeBody(noChecksum, 'deflate', MAX_BYTES)).bytes)).toBe(TEXT);
});

test('skips each optional part of a gzip header', async () => {
  const body = zlib.deflateRawSync(TEXT);
  const parts: readonly (readonly [flags: number, more: readonly number[]])[] = [
    [1, []],
    [2, [1, 1]],
    [4, [3, 0, 9, 9, 9]],
    [4, [4, 1, ...Array(260).fill(9)]],
    [8, [0x61, 0x62, 0]],
    [16, [0x63, 0]],
  ];
  for (const [flags, more] of parts) {
    const coded = Buffer.concat([
      Uint8Array.of(0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3, ...more),
      body,
      Buffer.alloc(8),
    ]);
    expect([flags, text((await decodeBody(coded, 'x-gzip', MAX_BYTES)).bytes) === TEXT]).toEqual([flags, true]);
  }
});
