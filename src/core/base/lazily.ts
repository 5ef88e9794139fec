/**
 * Modules of the runtime that are loaded with their first use: each takes about 2 ms, and most starts of the service need
 * none of them.
 */

/** Returns `node:net`. */
export const net = () => process.getBuiltinModule('node:net');

/** Returns `node:zlib`. */
export const zlib = () => process.getBuiltinModule('node:zlib');

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

type AsyncMethods<T> = { readonly [Name in keyof T]: (...args: never[]) => Promise<unknown> };

/** Returns an object whose methods are those of another, which is made with the first call of one of them. */
export function importedOnUse<T extends AsyncMethods<T>>(load: () => Promise<T>): T {
  const loaded = lazily(load);
  const call =
    (name: string | symbol) =>
    async (...args: unknown[]) => {
      const object = await loaded();
      return await Reflect.apply(Reflect.get(object, name), object, args);
    };
  return new Proxy({} as T, { get: (_, name) => call(name) });
}
