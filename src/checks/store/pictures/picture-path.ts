import type { Visibility } from '#src/core/base/visibility.ts';

/** Returns the path of the pictures of a log. */
export function pictureFileIn(dataDir: string, visibility: Visibility): string {
  return `${dataDir}/pictures-${visibility}.sqlite`;
}
