import { type ApiKey, grants, type Scope } from '#src/admin/keys/api-key.ts';
import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import type { Problem } from '../http/problem.ts';

/** Credential of a request: none, a valid key, an unknown key, or a session that has ended or never was. */
export type Bearer =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'key'; readonly key: ApiKey };

/** Reads the credential of a request. */
export type ReadCredential = (headers: Headers, keys: Pick<KeyRing, 'find'>) => Bearer;

const NOBODY: Bearer = { kind: 'none' };

/**
 * `Bearer` and a token (RFC 6750 §2.1). Anything else is for a server before this one, such as a proxy with a password.
 */
const BEARER = /^Bearer +([\w~+/.=-]+) *$/i;

/**
 * Returns true if a request has a bearer token; other schemes of `Authorization` are for a server in front of this one.
 */
export function hasBearer(headers: Headers): boolean {
  return BEARER.test(headers.get('authorization') ?? '');
}

/** Reads the key in `Authorization`. */
export function bearerOf(headers: Headers, keys: Pick<KeyRing, 'find'>): Bearer {
  const authorization = headers.get('authorization');
  const [, secret] = (authorization !== null && BEARER.exec(authorization)) || [];
  if (secret === undefined) return NOBODY;
  const key = keys.find(secret);
  return key ? { kind: 'key', key } : { kind: 'unknown' };
}

/** Returns why a key lacks permission; null if it has it, or if no key was sent. */
export function bearerRefusal(
  bearer: Bearer,
  scope: Scope | readonly Scope[],
  unauthorized = UNAUTHORIZED,
): Problem | null {
  if (bearer.kind === 'unknown') return unauthorized;
  return bearer.kind === 'key' ? scopeRefusal(bearer.key, scope, 'This key') : null;
}

/**
 * Returns why a holder of scopes lacks permission; null if one of `scope` is granted.
 *
 * @param who the holder, as the subject of a sentence
 */
export function scopeRefusal(
  holder: { readonly scopes: readonly string[] },
  scope: Scope | readonly Scope[],
  who: string,
): Problem | null {
  const scopes = typeof scope === 'string' ? [scope] : scope;
  if (scopes.some((one) => grants(holder, one))) return null;
  const named = scopes.map((one) => `"${one}"`).join(' or ');
  return { code: 'forbidden_scope', detail: `${who} is not for this: it lacks the scope ${named}.` };
}

/** The refusal of an unknown, expired or revoked key. */
export const UNAUTHORIZED: Problem = {
  code: 'unauthorized',
  detail: 'This key is not known here, has expired or was revoked. Leave it out, or ask the operator for another.',
  headers: { 'www-authenticate': 'Bearer realm="lurecheck"' },
};
