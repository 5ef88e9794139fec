import { closeSync, openSync, readSync } from 'node:fs';

/** A file that is read at positions. */
export interface OpenBytes {
  readonly bytes: number;
  /** Returns bytes, padded with zeros at the end of the file; null if the disk cannot read them, or there are none. */
  read(at: number, length: number): Buffer | null;
  close(): void;
}

/** Opens a file for reading; null if there is none, or if it cannot be read. */
export function openBytes(path: string): OpenBytes | null {
  try {
    const descriptor = openSync(path, 'r');
    return {
      bytes: Bun.file(path).size,
      read(at, length) {
        const buffer = Buffer.alloc(length);
        try {
          return readSync(descriptor, buffer, 0, length, at) > 0 ? buffer : null;
        } catch {
          return null;
        }
      },
      close: () => closeSync(descriptor),
    };
  } catch {
    return null;
  }
}
