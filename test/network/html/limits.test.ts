import { expect, test } from 'bun:test';
import { decodeHtml } from '#src/network/html/charset.ts';
import { htmlLimits } from '#src/network/html/limits.ts';
import { createRandom } from '#test/support/random.ts';

/** One label of every encoding that pages come in (Encoding Standard §4.2) and of which a byte may say more than in ASCII. */
const ENCODINGS = `utf-8 windows-1252 windows-1251 windows-1255 windows-874 iso-8859-2 iso-8859-8-i koi8-u macintosh gbk
  gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr utf-16le utf-16be x-user-defined`.split(/\s+/);

test('decodes no encoding to more characters than bytes, so that every stored byte can be read', () => {
  const random = createRandom(29);
  for (const encoding of ENCODINGS) {
    for (let round = 0; round < 200; round++) {
      const bytes = Uint8Array.from({ length: random.below(64) }, () => random.below(256));
      const { text } = decodeHtml(bytes, `text/html; charset=${encoding}`);
      expect({ encoding, bytes, isBounded: text.length <= bytes.length }).toEqual({ encoding, bytes, isBounded: true });
    }
  }
});

test('the limits scale with the stored page size, with those of 2 MiB as the minimum', () => {
  const MIB = 1024 * 1024;
  const limitsOf = (bytes: number) => htmlLimits({ body_bytes: bytes, html_timeout_seconds: 1 });
  expect(limitsOf(2 * MIB)).toMatchObject({
    characters: 2 * MIB,
    innerCharacters: MIB / 2,
    scriptCharacters: MIB,
    work: 50_000_000,
  });
  expect(limitsOf(MIB)).toEqual({ ...limitsOf(2 * MIB), characters: MIB });
  const [usual, large] = [limitsOf(2 * MIB), limitsOf(64 * MIB)];
  for (const limit of ['characters', 'innerCharacters', 'scriptCharacters'] as const) {
    expect(large[limit]).toBe(32 * usual[limit]);
  }
});
