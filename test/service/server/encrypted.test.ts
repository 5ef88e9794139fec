import { expect, test } from 'bun:test';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { createIsEncrypted } from '#src/service/server/http/client-addresses.ts';

const PROXIES = [parseCidr('10.0.0.0/8')].filter((cidr) => typeof cidr === 'object');

function isEncrypted(headers: Record<string, string>, peer = '10.0.0.1', isSecure = false): boolean {
  const request = new Request('http://a.example/', { headers });
  return createIsEncrypted({ trusted_proxy: PROXIES }, isSecure, () => peer)({ request, server: null });
}

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ 'X-Forwarded-Proto': 'https' }, true],
  [{ 'X-Forwarded-Proto': ' HTTPS , http' }, true],
  [{ 'X-Forwarded-Proto': 'http, https' }, false],
  [{ 'X-Forwarded-Proto': 'httpsx' }, false],
  [{ Forwarded: 'for=1.2.3.4;proto=https' }, true],
  [{ Forwarded: 'Proto="https" ; for=1.2.3.4' }, true],
  [{ Forwarded: 'proto=http, proto=https' }, false],
  [{ Forwarded: 'xproto=https' }, false],
  [{ Forwarded: 'proto=httpsx' }, false],
  [{ 'X-Forwarded-Proto': 'http', Forwarded: 'proto=https' }, false],
])('a trusted proxy that sends %j reports a client with TLS: %p', (headers, expected) => {
  expect(isEncrypted(headers)).toBe(expected);
});

test('an untrusted peer cannot claim TLS, and a socket with TLS needs no header', () => {
  expect(isEncrypted({ 'X-Forwarded-Proto': 'https' }, '192.0.2.1')).toBeFalse();
  expect(isEncrypted({}, '192.0.2.1', true)).toBeTrue();
  expect(isEncrypted({ 'X-Forwarded-Proto': 'http' }, '10.0.0.1', true)).toBeTrue();
});
