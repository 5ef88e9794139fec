import { expect, test } from 'bun:test';
import { createVisitCookies } from '#src/network/probes/visit/visit-cookies.ts';
import { targetOf } from '#test/support/target.ts';

const SITE = 'https://www.harbour.example/a/b';

/** Returns the `Cookie` header for `to` after `from` has set these cookies. */
function sent(cookies: readonly string[] | string, to: string, from = SITE): string {
  const jar = createVisitCookies();
  jar.take(targetOf(from), [cookies].flat().join('\n'));
  return jar.headerFor(targetOf(to));
}

test.each([
  ['a=1', SITE, 'a=1'],
  ['a=1', 'https://www.harbour.example/a/', 'a=1'],
  ['a=1', 'https://www.harbour.example/ab', ''],
  ['a=1', 'https://www.harbour.example/', ''],
  ['a=1; Path=/', 'https://www.harbour.example/', 'a=1'],
  ['a=1; Path=b', 'https://www.harbour.example/a/c', 'a=1'],
  ['a=1; Path=/', 'http://www.harbour.example/', 'a=1'],
  ['a=1; Path=/; Secure', 'http://www.harbour.example/', ''],
  ['a=1; Path=/', 'https://harbour.example/', ''],
  ['a=1; Path=/', 'https://x.www.harbour.example/', ''],
  ['a=1; Path=/; Domain=.HARBOUR.example', 'https://x.harbour.example/', 'a=1'],
  ['a=1; Path=/; Domain=harbour.example', 'https://other.example/', ''],
  ['a=1; Path=/; Domain=example', 'https://www.harbour.example/', ''],
  ['a=1; Path=/; Domain=other.example', 'https://other.example/', ''],
  ['a=1; Path=/; Domain=arbour.example', SITE, ''],
  ['__Secure-a=1; Path=/', SITE, ''],
  ['__Secure-a=1; Path=/; Secure', SITE, '__Secure-a=1'],
  ['__Host-a=1; Secure; Path=/', SITE, '__Host-a=1'],
  ['__Host-a=1; Secure; Path=/; Domain=harbour.example', SITE, ''],
  ['__Host-a=1; Secure; Path=/a', SITE, ''],
  ['=1', SITE, '1'],
  ['only', SITE, 'only'],
  ['', SITE, ''],
  ['a=ü', SITE, ''],
  ['a="x y"', SITE, 'a="x y"'],
  ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', SITE, ''],
  ['a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT', SITE, 'a=1'],
  ['a=1; Max-Age=0', SITE, ''],
  [`a=${'x'.repeat(4096)}`, SITE, ''],
])('%s is sent to %s as “%s”', (cookie, to, expected) => {
  expect(sent(cookie, to)).toBe(expected);
});

test('a public suffix and an address get cookies for themselves alone', () => {
  expect(sent('a=1; Domain=github.io', 'https://b.github.io/', 'https://a.github.io/')).toBe('');
  expect(sent('a=1; Domain=github.io', 'https://github.io/', 'https://github.io/')).toBe('a=1');
  expect(sent('a=1; Domain=0.2.1', 'http://192.0.2.1/', 'http://192.0.2.1/')).toBe('');
  expect(sent('a=1', 'http://192.0.2.1/', 'http://192.0.2.1/')).toBe('a=1');
});

test('a later cookie replaces or deletes an earlier one of the same place', () => {
  expect(sent(['a=1', 'a=2'], SITE)).toBe('a=2');
  expect(sent(['a=1', 'a=; Max-Age=-1'], SITE)).toBe('');
  expect(sent(['a=1; Path=/', 'b=2; Path=/a/b', 'c=3'], SITE)).toBe('b=2; c=3; a=1');
});

test('at most 20 cookies are held', () => {
  const many = Array.from({ length: 40 }, (_, i) => `c${i}=1`);
  expect(sent(many, SITE).split('; ')).toHaveLength(20);
});

test('never sends what a request line cannot hold', () => {
  for (let code = 0; code < 256; code++) {
    const character = String.fromCharCode(code);
    expect(sent(`a=x${character}y`, SITE)).toMatch(/^[\x20-\x7e]*$/);
    expect(sent(`a=1; Path=/${character}; Domain=harbour.example${character}`, SITE)).toMatch(/^[\x20-\x7e]*$/);
  }
});
