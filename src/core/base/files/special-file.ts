import { type Stats, statSync } from 'node:fs';

/** What a shell hands over by a path: the standard input, and what `<(…)` makes. */
const HANDED_OVER = /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/self\/fd\/\d+)$/;

/** Reads as empty (null(4)): the only device that ends. */
const NULL_DEVICE = '/dev/null';

/**
 * Returns what is wrong with a path of which the content is read to its end, as the end of a sentence; null for a regular file,
 * for a pipe that a shell hands over, for `/dev/null`, and where nothing is found. A device may never end, a named pipe may never
 * begin, and a socket cannot be opened.
 */
export function endlessFileProblem(path: string): string | null {
  const found = foundAt(path);
  if (found === undefined || found.isFile() || found.isDirectory() || path === NULL_DEVICE) return null;
  if (found.isFIFO() || found.isSocket()) return HANDED_OVER.test(path) ? null : `is a ${kindOf(found)}; ${REMEDY}`;
  // A terminal ends with its user.
  if (HANDED_OVER.test(path) && process.stdin.isTTY) return null;
  return `is a ${kindOf(found)}; ${REMEDY}`;
}

/** Undefined for what cannot be reached, which whoever opens it reports. */
function foundAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const REMEDY = 'expected a file, or /dev/stdin with a pipe';

function kindOf(found: Stats): string {
  return found.isFIFO() ? 'named pipe' : found.isSocket() ? 'socket' : 'device';
}
