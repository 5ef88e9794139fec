import { expect, test } from 'bun:test';
import { reasonOf } from '#src/parts/fleet/limiter/redis-link.ts';

const failed = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

test.each([
  [failed('Connection closed', 'ERR_REDIS_CONNECTION_CLOSED'), 'it cannot be reached, or has closed the connection'],
  [failed('WRONGPASS', 'ERR_REDIS_AUTHENTICATION_FAILED'), 'it refuses the name or the password'],
  [failed('READONLY You cannot write against a read only replica.'), 'it is a replica, which cannot count'],
  [failed('OOM command not allowed', 'ERR_REDIS_SERVER'), 'its memory is full'],
  [failed('LOADING Redis is loading the dataset'), 'it is still reading its data'],
  [failed('NOPERM'), 'its user may not do that'],
])('%s means that %s', (error, reason) => {
  expect(reasonOf(error)).toBe(`${reason} (${error.message})`);
});

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name (Connect by'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is signed by an authority that is not trusted here (Name'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is signed by an authority that is not trusted here (Name'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is signed by an authority that is not trusted here (Name'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired (Renew'],
  ['CERT_CHAIN_TOO_LONG', 'its certificate cannot be verified (Examine'],
])('%s is reported without the words of the library', (code, reason) => {
  const said = reasonOf(failed('x y z', code));
  expect(said).toStartWith(reason);
  expect(said).not.toContain('x y z');
});

test('an unknown error is reported verbatim', () => {
  const texts = ['BOOM', 'x ERR_REDIS_CONNECTION_CLOSED', 'NOREADONLY'];
  expect(texts.map((text) => reasonOf(failed(text)))).toEqual(texts);
  expect(reasonOf('a text')).toBe('a text');
});
