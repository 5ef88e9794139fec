import { expect, test } from 'bun:test';
import { isSameSite, mismatchOf } from '#src/engine/message/mismatch.ts';

test.each([
  ['paypal.com', 'paypal.com', true],
  ['www.paypal.com', 'paypal.com', true],
  ['links.paypal.com', 'www.paypal.com', true],
  ['a.paypal.com', 'b.paypal.com', true],
  ['a.bank.de', 'b.bank.de', true],
  ['a.one.co.uk', 'b.one.co.uk', true],
  ['one.co.uk', 'two.co.uk', false],
  ['one.com.br', 'two.com.br', false],
  ['co.uk', 'two.co.uk', true],
  ['com', 'paypal.com', false],
  ['localhost', 'localhost', true],
  ['www.intranet', 'intranet', true],
  ['mail.intranet', 'intranet', false],
  ['paypal.com', 'evil.com', false],
  ['paypal.com', 'paypal.com.evil.example', false],
  ['paypal.com', 'notpaypal.com', false],
  ['paypal.com', 'paypal.www.com', false],
])('%s and %s are one site: %p', (one, other, isSame) => {
  expect([isSameSite(one, other), isSameSite(other, one)]).toEqual([isSame, isSame]);
});

test('words that contain several hosts match if one of them is the destination', () => {
  expect(mismatchOf('paypal.com or evil.example', 'https://evil.example/')).toBeNull();
  expect(mismatchOf('paypal.com or bank.example', 'https://evil.example/')).toEqual({
    says: 'paypal.com',
    goesTo: 'evil.example',
  });
});

test('without a host in the words, or a URL, there is no mismatch', () => {
  expect(mismatchOf('Click here', 'https://evil.example/')).toBeNull();
  expect(mismatchOf('paypal.com', 'no URL')).toBeNull();
});

test.each([
  ['https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example%2F', 'evil.example'],
  ['https://eur01.safelinks.protection.outlook.com/?url=HTTPS%3a%2f%2fevil.example%2f', 'evil.example'],
  ['https://eur01.safelinks.protection.outlook.com/?url=https%253A%252F%252Fevil.example', 'evil.example'],
  ['https://urldefense.proofpoint.com/v2/url?u=http-3A__evil.example_x&d=1', 'evil.example'],
  ['https://urldefense.proofpoint.com/v2/url?u=HTTPS-3A__evil.example_x&d=1', 'evil.example'],
  ['https://urldefense.com/v3/__https://evil.example/x__;!!a', 'evil.example'],
  ['https://eur01.safelinks.protection.outlook.com/', 'eur01.safelinks.protection.outlook.com'],
  [
    'https://notsafelinks.protection.outlook.com.evil.example/?url=https://paypal.com/',
    'notsafelinks.protection.outlook.com.evil.example',
  ],
])('%s leads to %s', (url, goesTo) => {
  expect(mismatchOf('paypal.com', url)).toEqual({ says: 'paypal.com', goesTo });
});
