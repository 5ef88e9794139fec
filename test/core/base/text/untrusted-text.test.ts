import { describe, expect, test } from 'bun:test';
import {
  plainLine,
  visibleInTerminal,
  visibleJson,
  visibleOnPage,
  withoutInvisible,
} from '#src/core/base/text/untrusted-text.ts';
import { createRandom } from '#test/support/random.ts';

const everyCodePoint = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
const hiddenIn = (shown: (text: string) => string, hidden: RegExp) =>
  everyCodePoint.filter((character) => hidden.test(shown(character))).map((character) => character.codePointAt(0));

/** What a terminal or an editor obeys, or shows as nothing: said here by ranges, as the standards name them. */
const OBEYED =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\u00ad\u200b-\u200d\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]|\u034f/u;

describe('every Unicode character', () => {
  test('is escaped if a terminal would interpret or hide it', () => {
    expect(hiddenIn(visibleInTerminal, OBEYED)).toEqual([]);
  });

  test('is escaped in JSON if it is hidden, and parses back unchanged', () => {
    const written = (text: string) => visibleJson(JSON.stringify(text));
    expect(hiddenIn(written, OBEYED)).toEqual([]);
    const changed = everyCodePoint.filter((character) => JSON.parse(written(character)) !== character);
    expect(changed).toEqual([]);
  });

  test('is never hidden on a page, except for joiners, which emoji and scripts need', () => {
    expect(hiddenIn(visibleOnPage, OBEYED)).toEqual([0x200c, 0x200d]);
    expect(visibleOnPage('👨‍👩‍👧 می‌خواهم ❤️')).toBe('👨‍👩‍👧 می‌خواهم ❤️');
  });

  test('that is printable is unchanged', () => {
    const plain = everyCodePoint.filter((one) => /[\p{L}\p{N}\p{P}\p{S}\p{Zs}]/u.test(one) && !/\p{DI}/u.test(one));
    expect(plain.length).toBeGreaterThan(140_000);
    const text = plain.join('');
    expect(visibleInTerminal(text)).toBe(text);
    expect(visibleOnPage(text)).toBe(text);
    expect(visibleJson(text)).toBe(text);
    expect(withoutInvisible(text)).toBe(text);
  });
});

test('a terminal shows the code of a hidden character, with two digits if they suffice', () => {
  expect(visibleInTerminal('a\u001b[2J\u009b\t\u202e\u{e0041}\ud800')).toBe(
    'a\\x1b[2J\\x9b\\x09\\u{202e}\\u{e0041}\\u{d800}',
  );
});

test('indented JSON keeps its line ends', () => {
  const value = { title: 'a\u2028\n\u{e0041}\ud800' };
  const json = visibleJson(JSON.stringify(value, null, 2));
  expect(json).toBe('{\n  "title": "a\\u2028\\n\\udb40\\udc41\\ud800"\n}');
  expect(JSON.parse(json)).toEqual(value);
});

test('a plain line contains only single spaces, and is unchanged by a second conversion', () => {
  expect(plainLine(' Example\r\n\tRegistrar\u202e \u200b Ltd. ')).toBe('Example Registrar Ltd.');
  const random = createRandom(11);
  for (let i = 0; i < 2000; i++) {
    const text = random.text(12, 'ab \t\n\u0000\u0085\u00a0\u2028\u200d\ufeff\ud83d\ude00');
    const line = plainLine(text);
    expect(line).not.toMatch(/^\s|\s$|\s\s|[\p{Cc}\p{Cf}]/u);
    expect(plainLine(line)).toBe(line);
  }
});
