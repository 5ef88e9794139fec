import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '#src/core/base/files/locked-file.ts';
import { ownPictureFolder, ownPictureIn } from './picture-path.ts';

/** Pictures of own pages by name, each a WebP file. */
export type OwnPictures = ReadonlyMap<string, Uint8Array>;

/** Returns the name of a picture, which nobody guesses who has not seen it. */
export function ownPictureName(webp: Uint8Array): string {
  return `own-${createHash('sha256').update(webp).digest('hex').slice(0, 16)}`;
}

/** Adds pictures of own pages. */
export async function addOwnPictures(dataDir: string, pictures: OwnPictures): Promise<void> {
  for (const [name, webp] of pictures) {
    const path = ownPictureIn(dataDir, name);
    if (path !== null) await replaceFile(path, webp);
  }
}

/** Removes all pictures of own pages but those of these names. */
export function keepOwnPictures(dataDir: string, names: ReadonlySet<string | null>): void {
  const folder = ownPictureFolder(dataDir);
  try {
    for (const file of readdirSync(folder)) {
      if (!names.has(file.replace('.webp', ''))) rmSync(join(folder, file), { force: true });
    }
  } catch (error) {
    // Without a folder there is no picture.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
