import { describe, expect, test } from 'bun:test';
import { MAX_TEXT_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { createRandom } from '#test/support/random.ts';

test('text within the limit is unchanged, whatever it contains', () => {
  for (const text of ['', 'a', 'x'.repeat(MAX_TEXT_LENGTH), '%', '\ud83d', 'https://example.com/?a=%f']) {
    expect(truncateText(text, MAX_TEXT_LENGTH)).toBe(text);
  }
});

test('longer text is truncated to a prefix, well-formed if the text was', () => {
  const random = createRandom(20261120);
  for (let round = 0; round < 2000; round++) {
    const text = random.text(1500, 'ab /?&%41=\u{1f600}é.@');
    const short = truncateText(text, 200);
    expect(short.length).toBeLessThanOrEqual(200);
    expect(text.startsWith(short)).toBe(true);
    expect(short.isWellFormed()).toBe(true);
    expect(truncateText(short, 200)).toBe(short);
  }
});

describe('truncation leaves no half', () => {
  test.each([
    ['of a character', `${'x'.repeat(511)}\u{1f600}`, 'x'.repeat(511)],
    ['of an escape', `${'x'.repeat(510)}%41`, 'x'.repeat(510)],
    ['of an address', `${'x '.repeat(250)}jane.doe@mail.example`, `${'x '.repeat(250)}`.trimEnd()],
    [
      'of a token',
      `https://example.com/${'a/'.repeat(240)}?token=swordfish`,
      `https://example.com/${'a/'.repeat(240)}`,
    ],
  ])('%s', (_, text, short) => {
    expect(truncateText(text, MAX_TEXT_LENGTH)).toBe(short);
  });
});

test('a long user name does not hide the host', () => {
  expect(truncateText(`https://${'paypal.com.'.repeat(100)}@evil.example/login`, MAX_TEXT_LENGTH)).toBe(
    `https://${'paypal.com.'.repeat(6).slice(0, 64)}@evil.example/login`,
  );
});
