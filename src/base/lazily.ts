/** A resource that is opened when it is first asked for, and closed if it ever was. */
export interface Lazy<T> extends AsyncDisposable {
  get(): Promise<T>;
}

/** Puts the opening of a resource off. Where it fails, everyone who asks is told the same. */
export function lazily<T extends AsyncDisposable>(open: () => Promise<T>): Lazy<T> {
  let opening: Promise<T> | null = null;
  return {
    get() {
      opening ??= open();
      return opening;
    },
    async [Symbol.asyncDispose]() {
      const resource = await opening?.catch(() => null);
      await resource?.[Symbol.asyncDispose]();
    },
  };
}
