import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Gives a file another name, which replaces the file of that name; its own name stays, too. At every moment the name
 * belongs to one of the two.
 */
export async function linkOver(file: string, name: string): Promise<void> {
  const draft = `${name}.new`;
  await rm(draft, { force: true });
  await link(file, draft);
  await rename(draft, name);
  await using folder = await open(dirname(name), 'r');
  await folder.sync();
}
