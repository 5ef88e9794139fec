import { createHash } from 'node:crypto';

/** How a file that stands there compares with the text that is wanted. */
export type FileStatus =
  | 'missing'
  /** It says the same. */
  | 'same'
  /** An earlier version wrote it, and nobody has touched it since. */
  | 'older'
  /** Somebody wrote or changed it. */
  | 'changed';

/** The last line of what was written, but for the hash at its end. */
const STAMP = '# lurecheck service install wrote the above; what you change stays as it is. sha256: ';

const stampOf = (text: string) => `${STAMP}${sha256Of(text)}\n`;

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

/** A text as it is written: with a last line by which a later version sees whether somebody has changed it. */
export const stamped = (text: string): string => `${text}${stampOf(text)}`;

/** Compares; null stands for no file. A text that was put there by hand, without a stamp, counts as what it says. */
export function compareWritten(found: string | null, wanted: string): FileStatus {
  if (found === null) return 'missing';
  if (found === wanted || found === stamped(wanted)) return 'same';
  return isUnmodified(found) ? 'older' : 'changed';
}

/** Whether a text is as it was written, by whatever version. */
export function isUnmodified(found: string): boolean {
  const text = found.slice(0, Math.max(0, found.lastIndexOf(STAMP)));
  return found === stamped(text);
}
