import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import type { Problem } from '../http/problem.ts';
import { type Bearer, bearerOf, UNAUTHORIZED } from './bearer.ts';

/** Basic authentication (RFC 7617), the only way that firewalls know. */
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * Reads the key in `Authorization`, either as bearer token or as password of Basic authentication with any user name.
 */
export function feedCredentialOf(headers: Headers, keys: Pick<KeyRing, 'find'>): Bearer {
  const [, encoded] = BASIC.exec(headers.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return bearerOf(headers, keys);
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  // A name has no colon (RFC 7617 §2), but consoles accept one; no key has one.
  const key = text.includes(':') ? keys.find(text.slice(text.lastIndexOf(':') + 1)) : null;
  return key ? { kind: 'key', key } : { kind: 'unknown' };
}

/** {@link UNAUTHORIZED}, with both ways to send a key. */
export const UNAUTHORIZED_FOR_FEED: Problem = {
  ...UNAUTHORIZED,
  detail: 'A key with the scope "feed" is required, as a Bearer token or as the password of Basic authentication.',
  headers: { 'www-authenticate': 'Basic realm="lurecheck", Bearer realm="lurecheck"' },
};
