import { expect, test } from 'bun:test';
import { coversHost } from '#src/network/certificate/read.ts';

/** By RFC 9525 §6; most of what a certificate may say of a name covers nothing. */
test.each([
  ['good.test', 'good.test', true],
  ['GOOD.Test', 'good.test', true],
  ['good.test', 'www.good.test', false],
  ['good.test', 'notgood.test', false],
  ['good.test', 'good.test.other', false],
  ['good.test.', 'good.test', false],
  ['', '', true],
  ['*.good.test', 'www.good.test', true],
  ['*.GOOD.test', 'www.good.test', true],
  ['*.good.test', 'w.good.test', true],
  ['*.good.test', 'good.test', false],
  ['*.good.test', '.good.test', false],
  ['*.good.test', 'a.b.good.test', false],
  ['*.good.test', 'www.evil.test', false],
  ['*.good.test', 'wwwxgood.test', false],
  ['*.good.test', '*.good.test', true],
  ['*.b.c', 'a.b.c', true],
  ['*.b', 'a.b', false],
  ['*..b', 'a..b', false],
  ['*..b.c', 'a..b.c', false],
  ['*.', 'a.', false],
  ['*', 'good', false],
  ['*good.test', 'xgood.test', false],
  ['w*.good.test', 'www.good.test', false],
  ['www.*.test', 'www.good.test', false],
  ['*.*.test', 'www.good.test', false],
])('the certificate name %p covers the host %p: %p', (name, host, isCovered) => {
  expect(coversHost({ dns: [name], ips: [] }, host)).toBe(isCovered);
});

test.each([
  ['192.0.2.1', ['192.0.2.1'], [], true],
  ['192.0.2.1', ['192.0.2.2', '192.0.2.1'], [], true],
  ['192.0.2.1', ['192.0.2.2'], [], false],
  ['192.0.2.1', [], ['192.0.2.1'], false],
  ['2001:db8::1', ['2001:db8::1'], [], true],
  ['2001:db8:0::1', ['2001:db8::1'], [], true],
  ['2001:db8::1', ['2001:db8::2'], [], false],
  ['good.test', ['192.0.2.1'], [], false],
])('the host %s is covered by the IP addresses %p and the DNS names %p: %p', (host, ips, dns, isCovered) => {
  expect(coversHost({ dns, ips }, host)).toBe(isCovered);
});

test('a host is covered if one of several names matches', () => {
  expect(coversHost({ dns: ['a.test', 'b.test'], ips: [] }, 'b.test')).toBe(true);
  expect(coversHost({ dns: [], ips: [] }, 'b.test')).toBe(false);
});
