import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '#src/admin/keys/api-key.ts';
import type { EndedSessions } from '#src/admin/keys/ended-sessions.ts';
import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';

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

/** Longest duration of a session, in milliseconds. */
export const SESSION_MS = 12 * HOUR_MS;

/** A session without a request ends after this time, in milliseconds. */
export const IDLE_MS = 30 * MINUTE_MS;

/** Age of a token from which a request renews it, in milliseconds: not each request needs a cookie. */
const RENEWED_MS = MINUTE_MS;

const ID_BYTES = 16;
const DIGEST_BYTES = 32;
/** Milliseconds since the Unix epoch fit into six bytes until the year 10889. */
const TIME_BYTES = 6;
const SIGNED_BYTES = ID_BYTES + 2 * TIME_BYTES + DIGEST_BYTES;

/** A token as a cookie holds it: what is signed and an HMAC-SHA256, base64url. */
export const SESSION_TOKEN = new RegExp(`^[\\w-]{${Math.ceil(((SIGNED_BYTES + DIGEST_BYTES) * 4) / 3)}}$`);

/** A session in use. */
export interface OpenSession {
  readonly key: ApiKey;
  /** Milliseconds until it ends at the latest, and until it ends without a request. */
  readonly leftMs: number;
  readonly idleMs: number;
  /** The token that the cookie should hold from now on; null if it may keep the present one. */
  readonly renewed: string | null;
}

/**
 * Sessions of the console. Nothing of a session is stored: its token says when it began and was used, for which key, and is
 * signed with a secret that the nodes of a fleet share, so that each of them knows it, also after a restart.
 */
export interface Sessions {
  /** Opens a session of a key. Returns its token, which exists only in the returned value. */
  open(key: ApiKey): string;
  /**
   * Returns the session of a token; null if it is forged or has ended, or its key was revoked, replaced, has expired, or has
   * other scopes or another expiry than at the sign-in.
   */
  find(token: string): OpenSession | null;
  /** Returns false once a key was revoked or replaced, has expired, or has other scopes or another expiry than `key`. */
  holdsKey(key: ApiKey): boolean;
  /** Ends a session, with all tokens that renewed it. Returns the key that it had; null if there was none. */
  close(token: string): ApiKey | null;
}

/** Dependencies of {@link createSessions}. */
export interface SessionParts {
  readonly keys: Pick<KeyRing, 'withDigest'>;
  readonly ended: Pick<EndedSessions, 'has' | 'end'>;
  /** Asked for with the first session. */
  readonly secret: () => Buffer;
  readonly clock: Pick<Clock, 'now'>;
}

interface Claims {
  readonly id: Buffer;
  readonly startedMs: number;
  readonly usedMs: number;
  /** Binds the session to the key: another key of the same name has another digest. */
  readonly keyDigest: Buffer;
}

/** Creates the sessions of a service. */
export function createSessions({ keys, ended, secret, clock }: SessionParts): Sessions {
  let derived: Buffer | null = null;
  /** Signs a session together with the rights of its key: it ends when they change. */
  function signatureOf(signed: Buffer, key: ApiKey): Buffer {
    derived ??= Buffer.from(hkdfSync('sha256', secret(), '', 'lurecheck sessions', 32));
    return createHmac('sha256', derived).update(signed).update(rightsOf(key)).digest();
  }
  function tokenOf(claims: Claims, key: ApiKey): string {
    const signed = writeClaims(claims);
    return Buffer.concat([signed, signatureOf(signed, key)]).toString('base64url');
  }

  function read(token: string): { readonly claims: Claims; readonly key: ApiKey } | null {
    if (!SESSION_TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const signed = bytes.subarray(0, SIGNED_BYTES);
    const claims = readClaims(signed);
    const key = keys.withDigest(claims.keyDigest.toString('hex'));
    if (key === null || !timingSafeEqual(signatureOf(signed, key), bytes.subarray(SIGNED_BYTES))) return null;
    return { claims, key };
  }

  function find(token: string): (OpenSession & { readonly claims: Claims }) | null {
    const found = read(token);
    if (found === null) return null;
    const { claims, key } = found;
    const nowMs = clock.now();
    // The clock of another node may be ahead.
    const leftMs = Math.min(claims.startedMs + SESSION_MS - nowMs, SESSION_MS);
    const unusedMs = nowMs - claims.usedMs;
    if (leftMs <= 0 || unusedMs >= IDLE_MS || ended.has(idOf(claims), claims.startedMs)) return null;
    const renewed = unusedMs >= RENEWED_MS ? tokenOf({ ...claims, usedMs: nowMs }, key) : null;
    return { key, leftMs, idleMs: IDLE_MS, renewed, claims };
  }

  return {
    open(key) {
      const nowMs = clock.now();
      const keyDigest = Buffer.from(key.secret_sha256, 'hex');
      return tokenOf({ id: randomBytes(ID_BYTES), startedMs: nowMs, usedMs: nowMs, keyDigest }, key);
    },
    find,
    holdsKey(key) {
      const now = keys.withDigest(key.secret_sha256);
      return now !== null && rightsOf(now) === rightsOf(key);
    },
    close(token) {
      const session = find(token);
      if (session === null) return null;
      ended.end(idOf(session.claims), session.claims.startedMs + SESSION_MS);
      return session.key;
    },
  };
}

const idOf = ({ id }: Claims): string => id.toString('base64url');

function writeClaims({ id, startedMs, usedMs, keyDigest }: Claims): Buffer {
  const times = Buffer.alloc(2 * TIME_BYTES);
  times.writeUIntBE(startedMs, 0, TIME_BYTES);
  times.writeUIntBE(usedMs, TIME_BYTES, TIME_BYTES);
  return Buffer.concat([id, times, keyDigest]);
}

function readClaims(signed: Buffer): Claims {
  return {
    id: signed.subarray(0, ID_BYTES),
    startedMs: signed.readUIntBE(ID_BYTES, TIME_BYTES),
    usedMs: signed.readUIntBE(ID_BYTES + TIME_BYTES, TIME_BYTES),
    keyDigest: signed.subarray(ID_BYTES + 2 * TIME_BYTES),
  };
}

function rightsOf({ scopes, expires_at: expiresAt }: ApiKey): string {
  return JSON.stringify([scopes, expiresAt]);
}
