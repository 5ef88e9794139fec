import { expect, test } from 'bun:test';
import { phoneNumbersIn } from '#src/engine/mail-verdict/phone-numbers.ts';
import { coinAddressIn, hasAccountNumber, largeSumIn } from '#src/engine/mail-verdict/scheme-analyzer.ts';

test.each([
  'worth US$16.5 Million Dollars',
  'a deal of 24.5m usd for you',
  'the sum of $10,500,000.00',
  '500.000,00 € wurde Ihnen',
  '10.500.000 USD an dich',
  '8,5 Millionen Euro',
  '9,2 millones de dólares'.replace('de ', ''),
  '($6Million)',
])('%s is a large sum', (text) => {
  expect(largeSumIn(text)).not.toBeNull();
});

test.each(['$49.00', '1,250 euros', '100,000 subscribers', 'version 2.500.000', 'in 1,000 m'])(
  '%s is no large sum',
  (text) => {
    expect(largeSumIn(text)).toBeNull();
  },
);

test.each([
  ['+1 (808) 555-0142', true],
  ['808-555-0142', true],
  ['+49 32 5550 1422', true],
  ['2026-11-23', false],
  ['order 88412012345', false],
  ['4711', false],
])('%s as a telephone number: %p', (text, isNumber) => {
  expect(phoneNumbersIn(text).length > 0).toBe(isNumber);
});

test('addresses of coins and numbers of accounts are found in texts', () => {
  expect(coinAddressIn('to bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh now')).toStartWith('bc1q');
  expect(coinAddressIn('commit 1f3e5a7b9c1f3e5a7b9c1f3e5a7b9c1f3e5a7b9c')).toBeNull();
  expect(hasAccountNumber('Konto DE02 1203 0000 0000 2020 51.')).toBe(true);
  expect(hasAccountNumber('in DE 2026')).toBe(false);
});
