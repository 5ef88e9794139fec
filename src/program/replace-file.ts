import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file of the data directory in one step, so that a reader sees the old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await Bun.write(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
