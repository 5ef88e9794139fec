import { expect, test } from 'bun:test';
import { isRandomValue } from '#src/checks/record/redact/random-looking.ts';
import { isSecretValue } from '#src/checks/record/redact/secret-value.ts';
import { createRandom } from '#test/support/random.ts';

const HEXADECIMAL = '0123456789abcdef';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test.each([
  ['hexadecimal', HEXADECIMAL, 2],
  ['base64url', BASE64URL, 4 / 3],
] as const)(
  'nearly every random token of 128 bits or more, in %s, is recognised as a secret',
  (_, alphabet, charactersPerByte) => {
    const random = createRandom(20261120);
    const characters = [...alphabet];
    for (const bytes of [16, 24, 32, 64]) {
      const length = Math.ceil(bytes * charactersPerByte);
      const tokens = Array.from({ length: 2000 }, () => Array.from({ length }, () => random.pick(characters)).join(''));
      const seen = tokens.filter(isSecretValue).length;
      expect(seen / tokens.length).toBeGreaterThan(0.96);
    }
  },
);

test.each([
  'internationalization-and-localization',
  'a-guide-to-summer-holidays-in-spain-2024',
  'how-we-moved-house-3f2a9b1c4d5e6f70',
  'WindowsServerEnterpriseEdition',
  'resetPasswordNowPlease',
  'getMapStoresList',
  'wp-content-uploads',
  '2024-01-31T12:00:00.000Z',
  'utm_campaign_spring2024_v2',
  '9784873114828',
  '1467874273582886921',
  '4111111111111112',
  'DE89370400440532013001',
  '+1 (2)',
  'übergrößenträger-für-männer',
])('%s is not a secret', (text) => {
  expect(isSecretValue(text)).toBe(false);
});

test.each([
  '4111111111111111',
  '4111 1111 1111 1111',
  '0f9d1f9e-3a41-4a1c-9f0e-3b1a3f3c9d11',
  '00000000-0000-4000-8000-000000000000',
  'DE89 3704 0044 0532 0130 00',
  'gb82west12345698765432',
  '+4917612345678',
  '(555) 123-4567',
  '078-05-1120',
  'amFuZUBtYWlsLmV4YW1wbGU=',
])('%s is a secret', (text) => {
  expect(isSecretValue(text)).toBe(true);
});

test('after a name such as key, a random value is recognised as a secret and a readable one is not', () => {
  expect(['9f86d081', 'a8F3kd9Qz2', '5ba3a0a4b6'].filter((text) => !isRandomValue(text))).toEqual([]);
  expect(
    ['value', 'price2024', '1h30m20s', '2026-01-31', 'iphone15', 'abc123', '100462'].filter(isRandomValue),
  ).toEqual([]);
});
