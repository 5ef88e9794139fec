import { SESSION_MS, SESSION_TOKEN } from './sessions.ts';

/** Name of the cookie. Under TLS the prefix keeps other hosts of the domain from setting it (RFC 6265bis §4.1.3). */
const NAME = 'lurecheck_session';

const nameFor = (isEncrypted: boolean) => (isEncrypted ? `__Host-${NAME}` : NAME);

/**
 * Returns the token of a session in `Cookie`; null if there is none, or several, because another host may have set one.
 */
export function sessionTokenIn(headers: Headers, isEncrypted: boolean): string | null {
  const wanted = `${nameFor(isEncrypted)}=`;
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(wanted)).map((pair) => pair.slice(wanted.length));
  const [token = ''] = values;
  return values.length === 1 && SESSION_TOKEN.test(token) ? token : null;
}

/** Returns the `Set-Cookie` that begins or renews a session; the token expires regardless of the browser. */
export function sessionCookie(token: string, isEncrypted: boolean): string {
  return cookie(token, isEncrypted, SESSION_MS / 1000);
}

/** Returns the `Set-Cookie` that removes the cookie from the browser. */
export function expiredCookie(isEncrypted: boolean): string {
  return cookie('', isEncrypted, 0);
}

function cookie(value: string, isEncrypted: boolean, maxAge: number): string {
  const secure = isEncrypted ? '; Secure' : '';
  return `${nameFor(isEncrypted)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
}
