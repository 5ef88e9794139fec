import { expect, test } from 'bun:test';
import { toPlainLookAlike } from '#src/core/url/confusable.ts';
import { isReadableName } from '#src/core/url/readable-name.ts';

/** A character that resembles ASCII, accents included, as results state it. */
const isLookAlike = (character: string) => /^[\x20-\x7e]+$/.test(toPlainLookAlike(character));

test.each([
  ...['www.müller-möbel.de', 'straße.de', 'ñandú.es', 'çağ.com.tr'],
  ...['موقع.وزارة-الاتصالات.مصر', 'почта.рф', 'παράδειγμα.gr', 'हिन्दी.भारत', 'ישראל.example'],
  ...['日本語.jp', 'ひらがな漢字.jp', 'グーグル.example', '한국.kr', '中文.中国'],
])('%s is shown as it was written', (name) => {
  expect(isReadableName(name, isLookAlike)).toBe(true);
});

test.each([
  ...['p\u0430ypal.com', '\u0430\u0440\u0440\u04cf\u0435.com', '\u0441\u0435\u043e.рф', 'g\u03bfogle.com'],
  ...[
    'paypa\u1e37.com',
    '\u0131stanbul.com',
    'köln-тест.de',
    'a\u0301\u0301b.com',
    'x\u200dy.com',
    `${'ü'.repeat(64)}.de`,
  ],
])('%j may be taken for another name', (name) => {
  expect(isReadableName(name, isLookAlike)).toBe(false);
});
