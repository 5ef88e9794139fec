/** Creates a value on first use, once for all callers. Tries again on the next call after a failure. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

/** A resource that is opened on first use, and closed if it was opened. */
export interface Lazy<T> extends AsyncDisposable {
  get(): Promise<T>;
  /** Null until it is open. */
  readonly opened: T | null;
}

/** Opens a resource on first use; see {@link lazily}. */
export function openLazily<T extends AsyncDisposable>(open: () => Promise<T>): Lazy<T> {
  let opening: Promise<T> | null = null;
  let opened: T | null = null;
  return {
    get: lazily(async () => {
      opening = open();
      opened = await opening;
      return opened;
    }),
    get opened() {
      return opened;
    },
    async [Symbol.asyncDispose]() {
      const resource = await opening?.catch(() => null);
      await resource?.[Symbol.asyncDispose]();
    },
  };
}
