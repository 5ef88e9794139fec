import { type Clock, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';

/** Bounds of records: a page that reloads itself, or a program, must not fill the private log. */
const MAX_REMEMBERED = 50_000;
const MAX_PER_CLIENT_AND_HOUR = 100;
const MAX_PER_MINUTE = 300;
const MAX_CLIENTS = 50_000;

/** Creates an empty memory of the held requests that have a record. */
export function createHeldRequests(clock: Pick<Clock, 'monotonicMs'>) {
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
    /**
     * Returns the id of the record for a client and a URL; creates one by `create` if there was none within the last hour.
     * Null if the client, or all clients, have reached their bound.
     */
    idFor(client: string | null, url: string, create: () => string) {
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

/** A bounded memory whose entries expire. */
interface ExpiringMemory<T> {
  /** Returns an entry; null if there is none or it has expired. */
  get(key: string): T | null;
  /** Adds or replaces an entry; it lives from now on. The oldest entry makes room for it. */
  set(key: string, value: T): void;
  readonly size: number;
}

/** Creates an empty memory of at most `most` entries, each of which lives for `lifetimeMs`. */
export function createExpiringMemory<T>(
  clock: Pick<Clock, 'monotonicMs'>,
  lifetimeMs: number,
  most: number,
): ExpiringMemory<T> {
  // In the order in which they expire.
  const entries = new Map<string, { readonly value: T; readonly endsMs: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (entry.endsMs > clock.monotonicMs()) return entry.value;
      entries.delete(key);
      return null;
    },
    set(key, value) {
      entries.delete(key);
      const oldest = entries.size >= most ? entries.keys().next() : null;
      if (oldest && !oldest.done) entries.delete(oldest.value);
      entries.set(key, { value, endsMs: clock.monotonicMs() + lifetimeMs });
    },
    get size() {
      return entries.size;
    },
  };
}
