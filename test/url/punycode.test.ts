import { describe, expect, test } from 'bun:test';
import { domainToUnicode } from 'node:url';
import { decodePunycode } from '#src/url/punycode.ts';
import { createRandom } from '#test/support/random.ts';

describe('samples of RFC 3492 §7.1 and of the web', () => {
  test.each([
    ['egbpdaj6bu4bxfgehfvwxn', 'ليهمابتكلموشعربي؟'],
    ['ihqwcrb4cv8a8dqg056pqjye', '他们为什么不说中文'],
    ['Proprostnemluvesky-uyb24dma41a'.toLowerCase(), 'pročprostěnemluvíčesky'],
    ['mnchen-3ya', 'münchen'],
    ['80ak6aa92e', 'аррӏе'],
    ['-> $1.00 <--', '-> $1.00 <-'],
    ['', ''],
  ])('%s', (encoded, decoded) => {
    expect(decodePunycode(encoded)).toBe(decoded);
  });
});

test('it agrees with the URL parser on every host that this accepts', () => {
  const random = createRandom(3);
  for (let round = 0; round < 2000; round++) {
    const label = random.text(8, 'aбвéß漢字9ωж') + random.pick(['ж', 'é', '漢']);
    const url = URL.parse(`http://${label}/`);
    if (!url?.hostname.startsWith('xn--')) continue;
    const decoded = decodePunycode(url.hostname.slice(4));
    expect({ label, again: URL.parse(`http://${decoded}/`)?.hostname }).toEqual({ label, again: url.hostname });
  }
});

test('nonsense is refused, never thrown at, and ends', () => {
  const random = createRandom(4);
  for (let round = 0; round < 3000; round++) {
    const decoded = decodePunycode(random.text(60, 'abyz0189-é'));
    expect(decoded === null || typeof decoded === 'string').toBe(true);
  }
  expect(decodePunycode('99999999999')).toBeNull();
  expect(decodePunycode('a-é')).toBeNull();
});

test('the runtime reads every label that a URL can hold as we do', () => {
  const random = createRandom(5);
  const scripts = [
    'aéßñüøçğışž',
    'бвгжωςя',
    'العربية',
    'עברית',
    'हिन्दी',
    'ไทย',
    '日本語カタカナ',
    '한국어',
    '😀🦊',
    'ａ·ʻ’',
  ];
  let foreign = 0;
  for (let round = 0; round < 20_000; round++) {
    const letters = random.text(8, `${random.pick(scripts)}ab-9`);
    const label =
      round % 2 === 0 ? `${letters}${random.pick(['ж', 'é', '漢'])}` : `xn--${random.text(10, 'abcxyz0189-')}`;
    const host = URL.parse(`http://${label}.example/`)?.hostname ?? '';
    const [first = ''] = host.split('.');
    if (!first.startsWith('xn--')) continue;
    foreign++;
    expect([first, domainToUnicode(first)]).toEqual([first, decodePunycode(first.slice(4)) ?? '']);
    expect(domainToUnicode(host)).toBe(`${domainToUnicode(first)}.example`);
  }
  expect(foreign).toBeGreaterThan(8000);
});
