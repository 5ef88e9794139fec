import { describe, expect, test } from 'bun:test';
import { displayName, skeleton, toPlainLookAlike } from '#src/core/url/confusable.ts';
import { createRandom } from '#test/support/random.ts';

describe('names that look the same have the same skeleton', () => {
  test.each([
    ['paypal', 'paypa1'],
    ['paypal', 'раураl'],
    ['paypal', 'PAYPÁL'],
    ['apple', 'аррӏе'],
    ['microsoft', 'rnicrosoft'],
    ['microsoft', 'mlcr0s0ft'],
    ['wellsfargo', 'vve11sfarg0'],
    ['inpost', 'lnpost'],
    ['google', 'gοοgle'],
    ['discord', 'cliscorcl'],
  ])('%s and %s', (a, b) => {
    expect(skeleton(a)).toBe(skeleton(b));
  });
});

test('names that look different have different skeletons', () => {
  const words = [
    'paypal',
    'apple',
    'amazon',
    'google',
    'netflix',
    'chase',
    'visa',
    'bank',
    '1password',
    '中国银行',
    'россия',
  ];
  expect(new Set(words.map(skeleton)).size).toBe(words.length);
});

test('the skeleton and the plain form are idempotent on any text', () => {
  const random = createRandom(1);
  for (let round = 0; round < 4000; round++) {
    const text = Array.from({ length: random.below(12) }, () => String.fromCodePoint(randomCodePoint(random))).join('');
    expect(skeleton(skeleton(text))).toBe(skeleton(text));
    expect(toPlainLookAlike(toPlainLookAlike(text))).toBe(toPlainLookAlike(text));
  }
});

function randomCodePoint(random: ReturnType<typeof createRandom>): number {
  const [from, to] = random.pick([
    [0x20, 0x7f],
    [0xa0, 0x250],
    [0x300, 0x600],
    [0x1e00, 0x2000],
    [0x10000, 0x11000],
    [0x20, 0xd7ff],
  ] as const);
  return from + random.below(to - from);
}

test('a Punycode name is displayed decoded, or unchanged if it cannot be decoded', () => {
  expect(displayName('xn--80ak6aa92e')).toBe('аррӏе');
  expect(displayName('xn--999999999')).toBe('xn--999999999');
  expect(displayName('xn--bcher-kva.plain.xn--80ak6aa92e')).toBe('bücher.plain.аррӏе');
  expect(displayName('plain')).toBe('plain');
});

test('the displayed name of a host parses to the same host', () => {
  const random = createRandom(3);
  for (let round = 0; round < 2000; round++) {
    const label = random.text(8, 'aбвéß漢字9ωж') + random.pick(['ж', 'é', '漢']);
    const host = URL.parse(`http://${label}.example/`)?.hostname;
    if (!host?.startsWith('xn--')) continue;
    expect({ label, again: URL.parse(`http://${displayName(host)}/`)?.hostname }).toEqual({ label, again: host });
  }
});
