/** Makes a value when it is first asked for, and once for all who ask. What failed is tried again for the next who asks. */
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

/** A resource that is opened when it is first asked for, and closed if it ever was. */
export interface Lazy<T> extends AsyncDisposable {
  get(): Promise<T>;
  /** Null while nobody has asked for it, or it is being opened. */
  readonly opened: T | null;
}

/** Puts the opening of a resource off; see {@link lazily}. */
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
