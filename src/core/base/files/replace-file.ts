import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

/** Replaces a file of the data directory atomically and durably. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A symbolic link there would be followed.
  await rm(`${path}.new`, { force: true });
  const draft = await open(`${path}.new`, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    await draft.writeFile(content);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.new`, path);
}
