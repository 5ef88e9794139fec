import type { Clock } from '#src/core/base/clock.ts';

/** A cache whose entries expire. */
export interface Cache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, ttlMs: number): void;
}

/**
 * Creates a cache of about `maxEntries`. It has two generations: entries that are read move to the younger one, and the
 * older one is dropped as a whole. This bounds memory without an LRU order.
 */
export function createCache<V>(maxEntries: number, clock: Clock): Cache<V> {
  type Entry = { readonly value: V; readonly untilMs: number };
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();

  const put = (key: string, entry: Entry) => {
    if (young.size >= maxEntries / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, entry);
  };

  return {
    get(key) {
      const entry = young.get(key) ?? old.get(key);
      if (!entry || entry.untilMs <= clock.monotonicMs()) return undefined;
      if (!young.has(key)) put(key, entry);
      return entry.value;
    },
    set(key, value, keepMs) {
      if (keepMs > 0) put(key, { value, untilMs: clock.monotonicMs() + keepMs });
    },
  };
}
