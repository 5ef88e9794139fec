import { createHash, randomBytes } from 'node:crypto';
import type { ApiKey } from '#src/admin/keys/api-key.ts';
import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';

/** Longest duration of a session, in milliseconds. */
export const SESSION_MS = 12 * HOUR_MS;

/** A session without a request ends after this time, in milliseconds. */
export const IDLE_MS = 30 * MINUTE_MS;

/**
 * Maximum number of sessions, of one key and of all; beyond it, the one of them that was used least recently ends. So the
 * holder of one key does not end the sessions of others.
 */
const MAX_SESSIONS_OF_KEY = 32;
const MAX_SESSIONS = 1000;

const ID_BYTES = 32;

/** A session in use. */
export interface OpenSession {
  readonly key: ApiKey;
  /** Milliseconds until it ends at the latest, and until it ends without a request. */
  readonly leftMs: number;
  readonly idleMs: number;
}

/** Sessions of the console, in the memory of this process. */
export interface Sessions {
  /** Opens a session of a key. Returns its id, 32 random bytes in base64url, which exists only in the returned value. */
  open(key: ApiKey): string;
  /**
   * Returns a session and counts as its use; null if it has ended, or its key was revoked, replaced, has expired, or has other
   * scopes or another expiry than at the sign-in.
   */
  find(id: string): OpenSession | null;
  /** Ends a session. Returns the key that it had; null if there was none. */
  close(id: string): ApiKey | null;
}

interface Session {
  /** Binds the session to the key: another key of the same name has another digest. */
  readonly keyDigest: string;
  /** Scopes and expiry of the key at the sign-in. */
  readonly rights: string;
  readonly startedMs: number;
  usedMs: number;
}

/** Opens the sessions of a process. Only the digest of an id is stored, so that a memory dump opens nothing. */
export function createSessions(keys: Pick<KeyRing, 'withDigest'>, clock: Pick<Clock, 'monotonicMs'>): Sessions {
  // In the order of use, the least recent first.
  const sessions = new Map<string, Session>();

  function find(id: string): OpenSession | null {
    const digest = digestOf(id);
    const session = sessions.get(digest);
    if (!session) return null;
    const nowMs = clock.monotonicMs();
    const key = keys.withDigest(session.keyDigest);
    const leftMs = session.startedMs + SESSION_MS - nowMs;
    sessions.delete(digest);
    if (key === null || session.rights !== rightsOf(key) || leftMs <= 0 || session.usedMs + IDLE_MS <= nowMs)
      return null;
    sessions.set(digest, { ...session, usedMs: nowMs });
    return { key, leftMs, idleMs: IDLE_MS };
  }

  return {
    open(key) {
      const { secret_sha256: keyDigest } = key;
      const id = randomBytes(ID_BYTES).toString('base64url');
      const nowMs = clock.monotonicMs();
      const own = [...sessions].filter(([, session]) => session.keyDigest === keyDigest);
      if (own[0] && own.length >= MAX_SESSIONS_OF_KEY) sessions.delete(own[0][0]);
      sessions.set(digestOf(id), { keyDigest, rights: rightsOf(key), startedMs: nowMs, usedMs: nowMs });
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      return id;
    },
    find,
    close(id) {
      const key = find(id)?.key ?? null;
      sessions.delete(digestOf(id));
      return key;
    },
  };
}

function rightsOf({ scopes, expires_at: expiresAt }: ApiKey): string {
  return JSON.stringify([scopes, expiresAt]);
}

function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
