import { expect, test } from 'bun:test';
import { cutHost } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

test.each([
  'https://example.com/',
  'http://example.com:8080/a:b@c/d',
  'https://user:secret@example.com:444/?a=@b',
  'https://user@example.com./path',
  'http://192.0.2.7/',
  'http://[2001:db8::1]:81/@x',
  'http://a:b@[2001:db8::1]/',
  'https://bücher.example/#x@y',
  'https://a..b/',
  'https://example.com?q',
])('cutHost returns the parsed host of %s', (url) => {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new Error(target.message);
  expect(cutHost(target.url)).toBe(target.host.text);
});
