import type { FFIFunction } from 'bun:ffi';

/** File names of glibc, and of musl by processor. */
const NAMES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

/** Opens functions of the C library that the runtime lacks; null if it cannot be loaded. */
export async function openCLibrary<const Functions extends Record<string, FFIFunction>>(functions: Functions) {
  const { dlopen, ptr } = await import('bun:ffi');
  for (const name of NAMES) {
    try {
      const library = dlopen(name, functions);
      return { symbols: library.symbols, addressOf: ptr, close: () => library.close() };
    } catch {
      // Try the next name.
    }
  }
  return null;
}
