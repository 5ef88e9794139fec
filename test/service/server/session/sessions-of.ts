import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { createSessions, type Sessions } from '#src/service/server/session/sessions.ts';

/** The sessions of a service that keeps in memory which of them were ended. */
export function sessionsOf(keys: Pick<KeyRing, 'withDigest'>, clock: Pick<Clock, 'now'>): Sessions {
  const ids = new Set<string>();
  const ended = { has: (id: string) => ids.has(id), end: (id: string) => void ids.add(id) };
  return createSessions({ keys, ended, secret: () => Buffer.alloc(32, 1), clock });
}
