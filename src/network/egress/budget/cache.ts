import type { Clock } from '#src/core/base/clock.ts';

/** Remembers values for a while. */
export interface Cache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, keepMs: number): void;
}

/**
 * A cache of about `maxEntries`. It keeps two generations and forgets the older one whole, which is bounded and needs
 * no order to be kept; what is still asked for moves on into the younger.
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
