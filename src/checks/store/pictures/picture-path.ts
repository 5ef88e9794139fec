import type { Visibility } from '#src/core/base/visibility.ts';

/** Returns the path of the pictures of a log. */
export function pictureFileIn(dataDir: string, visibility: Visibility): string {
  return `${dataDir}/pictures-${visibility}.sqlite`;
}

/** Returns the folder of the pictures of own pages. */
export function ownPictureFolder(dataDir: string): string {
  return `${dataDir}/brand-pictures`;
}

/** Returns the path of the picture of an own page; null for another name, such as the id of a check. */
export function ownPictureIn(dataDir: string, name: string): string | null {
  return /^own-[0-9a-f]{16}$/.test(name) ? `${ownPictureFolder(dataDir)}/${name}.webp` : null;
}
