import type { Problem } from '../http/problem.ts';
import type { ApiKey, Scope } from '#src/admin/keys/api-key.ts';
import type { KeyRing } from '#src/admin/keys/key-ring.ts';

/** Who a request says it is: nobody, the holder of a key, or somebody with a key that does not hold. */
export type Bearer =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'key'; readonly key: ApiKey };

const NOBODY: Bearer = { kind: 'none' };

/** `Bearer` and a token (RFC 6750 §2.1). Anything else is for whoever stands before us, such as a proxy with a password. */
const BEARER = /^Bearer +([\w~+/.=-]+) *$/i;

/** The holder of the key in `Authorization`. */
export function bearerOf(headers: Headers, keys: Pick<KeyRing, 'find'>): Bearer {
  const authorization = headers.get('authorization');
  const [, secret] = (authorization !== null && BEARER.exec(authorization)) || [];
  if (secret === undefined) return NOBODY;
  const key = keys.find(secret);
  return key ? { kind: 'key', key } : { kind: 'unknown' };
}

/** Why a holder may not do something; null where it may. Who shows no key is not asked for one here. */
export function bearerRefusal(bearer: Bearer, scope: Scope): Problem | null {
  if (bearer.kind === 'unknown') return UNAUTHORIZED;
  if (bearer.kind === 'none' || bearer.key.scopes.includes(scope)) return null;
  return { code: 'forbidden_scope', detail: `This key is not for this: it lacks the scope "${scope}".` };
}

/** The refusal of a key that is none, or no longer. */
export const UNAUTHORIZED: Problem = {
  code: 'unauthorized',
  detail: 'This key is not known here, has expired or was revoked. Leave it out, or ask the operator for another.',
  headers: { 'www-authenticate': 'Bearer realm="lurecheck"' },
};
