import { type Stats, statSync } from 'node:fs';

/** Paths that a shell passes: standard input and process substitution. */
const SHELL_PATHS = /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/self\/fd\/\d+)$/;

/** Reads as empty (null(4)): the only device with an end. */
const NULL_DEVICE = '/dev/null';

/**
 * Returns what is wrong with a path of which the content is read to its end, as the end of a sentence; null for a
 * regular file, for a pipe that a shell hands over, for `/dev/null`, and for a path without a file. A device may never
 * end, a named pipe may never begin, and a socket cannot be opened.
 */
export function endlessFileProblem(path: string): string | null {
  const found = statIfReachable(path);
  if (found === undefined || found.isFile() || found.isDirectory() || path === NULL_DEVICE) return null;
  if (found.isFIFO() || found.isSocket()) return SHELL_PATHS.test(path) ? null : `is a ${kindOf(found)}; ${REMEDY}`;
  // A user can end the input of a terminal.
  if (SHELL_PATHS.test(path) && process.stdin.isTTY) return null;
  return `is a ${kindOf(found)}; ${REMEDY}`;
}

/** Returns undefined if stat fails; the caller that opens the file reports it. */
function statIfReachable(path: string): Stats | undefined {
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
