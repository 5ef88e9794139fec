import type { Clock } from '#src/core/base/clock.ts';

/** A bounded memory whose entries expire. */
export interface ExpiringMemory<T> {
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
