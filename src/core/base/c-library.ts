import type { FFIFunction } from 'bun:ffi';

/** The C library of glibc, and of musl by processor. */
const NAMES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

/** Functions of the C library of this machine, by name, for what the runtime does not have; null where it cannot be called. */
export async function openCLibrary<const Functions extends Record<string, FFIFunction>>(functions: Functions) {
  const { dlopen, ptr } = await import('bun:ffi');
  for (const name of NAMES) {
    try {
      const library = dlopen(name, functions);
      return { symbols: library.symbols, addressOf: ptr, close: () => library.close() };
    } catch {
      // The next one may be this system's.
    }
  }
  return null;
}
