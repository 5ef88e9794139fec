import { createHash, randomBytes } from 'node:crypto';
import type { ApiKey } from '#src/admin/keys/api-key.ts';
import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';

/** Longest duration of a session, in milliseconds. */
export const SESSION_MS = 12 * HOUR_MS;

/** A session without a request ends after this time, in milliseconds. */
export const IDLE_MS = 30 * MINUTE_MS;

/** Maximum number of sessions; beyond it, the one that was used least recently ends. */
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
  /** Returns a session and counts as its use; null if it has ended, or its key was revoked, replaced or has expired. */
  find(id: string): OpenSession | null;
  /** Ends a session. Returns the key that it had; null if there was none. */
  close(id: string): ApiKey | null;
}

interface Session {
  /** Binds the session to the key: another key of the same name has another digest. */
  readonly keyDigest: string;
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
    if (key === null || leftMs <= 0 || session.usedMs + IDLE_MS <= nowMs) return null;
    sessions.set(digest, { ...session, usedMs: nowMs });
    return { key, leftMs, idleMs: IDLE_MS };
  }

  return {
    open({ secret_sha256: keyDigest }) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const nowMs = clock.monotonicMs();
      sessions.set(digestOf(id), { keyDigest, startedMs: nowMs, usedMs: nowMs });
      for (const oldest of sessions.keys()) {
        if (sessions.size <= MAX_SESSIONS) break;
        sessions.delete(oldest);
      }
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

function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
