import { expect, test } from 'bun:test';
import { replaceNuls } from '#src/network/html/text-sink.ts';

test('replaces every NUL at any position, and nothing else', () => {
  for (const text of [
    '',
    'plain',
    '\0',
    'a\0b',
    `${'a\0'.repeat(20_000)}z`,
    '\0'.repeat(100_000),
    '\ud83d\0\ude00'.repeat(9000),
  ]) {
    for (const replacement of ['', '\ufffd']) {
      expect(replaceNuls(text, replacement)).toBe(text.replaceAll('\0', replacement));
    }
  }
});
