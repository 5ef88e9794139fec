import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { isAnnouncement, isSecretName, isSecretValue } from '#src/record/secret-value.ts';

test.each([
  ['hexadecimal', 'hex'],
  ['base64url', 'base64url'],
] as const)('nearly every random token of 128 bits or more, in %s, is known by its looks', (_, encoding) => {
  for (const bytes of [16, 24, 32, 64]) {
    const tokens = Array.from({ length: 2000 }, () => randomBytes(bytes).toString(encoding));
    const seen = tokens.filter(isSecretValue).length;
    expect(seen / tokens.length).toBeGreaterThan(0.96);
  }
});

test.each([
  'internationalization-and-localization',
  'a-guide-to-summer-holidays-in-spain-2024',
  'WindowsServerEnterpriseEdition',
  'resetPasswordNowPlease',
  'wp-content-uploads',
  '2024-01-31T12:00:00.000Z',
  'utm_campaign_spring2024_v2',
  '9784873114828',
  'übergrößenträger-für-männer',
])('%s is no secret', (text) => {
  expect(isSecretValue(text)).toBe(false);
});

test.each(['4111111111111111', '0f9d1f9e-3a41-4a1c-9f0e-3b1a3f3c9d11'])('%s is a secret', (text) => {
  expect(isSecretValue(text)).toBe(true);
});

test.each([
  'token',
  'access_token',
  'accessToken',
  'ACCESS-TOKEN',
  'X-Amz-Signature',
  'user[password]',
  'PHPSESSID',
  'sig',
  'emailAddr',
  'oobCode',
])('a secret stands under the name %s', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(['page', 'lang', 'keyword', 'assigned', 'utm_source', 'passenger', 'description', 'q', ''])(
  'no secret stands under the name %j',
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);

test('a segment announces a secret only where it is little else', () => {
  expect(['otp', 'reset-password', 'verifyEmail', 'token'].filter((segment) => !isAnnouncement(segment))).toEqual([]);
  expect(['blog', 'formal-verification-tools', 'how-to-reset-it', ''].filter(isAnnouncement)).toEqual([]);
});
