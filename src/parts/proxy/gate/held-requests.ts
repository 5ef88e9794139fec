import { type Clock, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { createExpiringMemory } from './expiring-memory.ts';

/** Decides which held requests get a record. */
export interface HeldRequests {
  /**
   * Returns the id of the record for a client and a URL; creates one by `create` if there was none within the last hour.
   * Null if the client, or all clients, have reached their bound.
   */
  idFor(client: string | null, url: string, create: () => string): string | null;
}

/** Bounds of records: a page that reloads itself, or a program, must not fill the private log. */
const MAX_REMEMBERED = 50_000;
const MAX_PER_CLIENT_AND_HOUR = 100;
const MAX_PER_MINUTE = 300;
const MAX_CLIENTS = 50_000;

/** Creates an empty memory. */
export function createHeldRequests(clock: Pick<Clock, 'monotonicMs'>): HeldRequests {
  const ids = createExpiringMemory<string>(clock, HOUR_MS, MAX_REMEMBERED);
  const ofClient = createExpiringMemory<{ records: number }>(clock, HOUR_MS, MAX_CLIENTS);
  const ofAll = createExpiringMemory<{ records: number }>(clock, MINUTE_MS, 1);
  const counted = (memory: typeof ofClient, key: string) => {
    const known = memory.get(key);
    if (known) return known;
    const fresh = { records: 0 };
    memory.set(key, fresh);
    return fresh;
  };
  return {
    idFor(client, url, create) {
      const key = Bun.hash(`${client}\n${url}`).toString(36);
      const known = ids.get(key);
      if (known !== null) return known;
      const [own, all] = [counted(ofClient, client ?? ''), counted(ofAll, '')];
      if (own.records >= MAX_PER_CLIENT_AND_HOUR || all.records >= MAX_PER_MINUTE) return null;
      own.records++;
      all.records++;
      const id = create();
      ids.set(key, id);
      return id;
    },
  };
}
