import { describe, expect, test } from 'bun:test';
import { replaceTokens } from '#src/checks/record/redact/redact-text.ts';
import { holdsMailAddress, replaceMailAddresses } from '#src/checks/record/redact/secret-value.ts';
import { unescapeFully } from '#src/checks/record/redact/unescape-fully.ts';

const withoutAddresses = (text: string) => replaceMailAddresses(text, () => '***');
const withoutTokens = (text: string) => replaceTokens(text, () => '***');
const domainOf = (labels: number) => `${'a.'.repeat(labels)}example`;

describe('an e-mail address', () => {
  test.each([
    ['jane@mail.example', '***'],
    ['jane@x.example', '***'],
    ['(jane.doe+shop_1%2@mail.example)', '(***)'],
    ["o'brien@mail.example", '***'],
    ['jürgen@müller.example, 张三@邮件.中国!', '***, ***!'],
    ['to jane@mail.example and joe@mail.example.', 'to *** and ***.'],
    ['a@b@mail.example', 'a@***'],
    [`${'x'.repeat(70)}@mail.example`, `${'x'.repeat(6)}***`],
    [`jane@${domainOf(8)}`, '***'],
    [`jane@${'a'.repeat(63)}.example`, '***'],
    ['jane@mail.de', '***'],
  ])('is found in %s', (text, shown) => {
    expect(withoutAddresses(text)).toBe(shown);
    expect(holdsMailAddress(text)).toBe(true);
  });

  test.each([
    'jane@mail',
    '@mail.example',
    'jane @mail.example',
    'jane@.example',
    'jane@ mail.example',
    'jane@mail.e',
    'jane@mail.123',
    `jane@${'a'.repeat(64)}.example`,
    '',
  ])('is not found in %j', (text) => {
    expect(withoutAddresses(text)).toBe(text);
    expect(holdsMailAddress(text)).toBe(false);
  });

  test('is replaced as a whole, and the replacement is not scanned again', () => {
    const seen: string[] = [];
    replaceMailAddresses('jane@mail.example@other.example', (address) => {
      seen.push(address);
      return '';
    });
    expect(seen).toEqual(['jane@mail.example']);
  });
});

describe('a JSON web token', () => {
  const head = 'eyJ12345678';
  test.each([
    [`${head}.12345678`, '***'],
    [`${head}.12345678.sig_-`, '***'],
    [`a ${head}.12345678. b`, 'a *** b'],
    [`${head}.12345678.sig.more`, '***.more'],
    [`${head}.12345678, ${head}.87654321`, '***, ***'],
    [`eyJ.eyJ ${head}.12345678`, 'eyJ.eyJ ***'],
  ])('is found in %s', (text, shown) => {
    expect(withoutTokens(text)).toBe(shown);
  });

  test.each([
    'eyJ1234567.12345678',
    `${head}.1234567`,
    head,
    `${head}-12345678`,
    `x${head.slice(1)}.12345678`,
    'eyJ',
    '',
  ])('is not found in %j', (text) => {
    expect(withoutTokens(text)).toBe(text);
  });
});

describe('escaped text', () => {
  test.each([
    ['%41', 'A'],
    ['%4', '%4'],
    ['100%', '100%'],
    ['%zz', '%zz'],
    ['a%2525252541b', 'aAb'],
    ['%C3%A9t%c3%a9', 'été'],
    ['%F0%9F%98%80', '\u{1f600}'],
    ['%e4', 'ä'],
    ['%e4%20', 'ä '],
    ['%C3%28', 'Ã('],
    ['%ED%A0%80', 'í\u00a0\u0080'],
    ['%C0%80', 'À\u0080'],
  ])('%s is read as %j', (text, plain) => {
    expect(unescapeFully(text)).toBe(plain);
  });

  test('is unescaped however often it was escaped', () => {
    let text = 'a b/é?';
    for (let times = 0; times < 30; times++) text = encodeURIComponent(text);
    expect(unescapeFully(text)).toBe('a b/é?');
  });
});
