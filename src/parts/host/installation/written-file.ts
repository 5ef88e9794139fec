import { createHash } from 'node:crypto';

/** Comparison of an existing file with the text to write. */
export type FileStatus =
  | 'missing'
  | 'same'
  /** Written by an earlier version, and not modified since. */
  | 'older'
  /** Created or modified by somebody else. */
  | 'changed';

/** Beginning of the last line of a written file, followed by a hash. */
const STAMP = '# lurecheck service install wrote the above; what you change stays as it is. sha256: ';

const stampOf = (text: string) => `${STAMP}${sha256Of(text)}\n`;

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

/** Appends a last line that lets later versions detect modifications. */
export const stamped = (text: string): string => `${text}${stampOf(text)}`;

/**
 * Compares an existing file with a text; null means that it does not exist. Without a stamp, a file that was put there
 * by hand is compared by its content.
 */
export function compareWritten(found: string | null, wanted: string): FileStatus {
  if (found === null) return 'missing';
  if (found === wanted || found === stamped(wanted)) return 'same';
  return isUnmodified(found) ? 'older' : 'changed';
}

/** Returns true if a text is unmodified since any version wrote it. */
export function isUnmodified(found: string): boolean {
  const text = found.slice(0, Math.max(0, found.lastIndexOf(STAMP)));
  return found === stamped(text);
}
