import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Gives a file another name, in place of what has that; it stays under its own name, too. At every moment the name stands
 * for the one or the other.
 */
export async function linkOver(file: string, name: string): Promise<void> {
  const draft = `${name}.new`;
  await rm(draft, { force: true });
  await link(file, draft);
  await rename(draft, name);
  await using folder = await open(dirname(name), 'r');
  await folder.sync();
}
