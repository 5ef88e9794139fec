import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

/** First size of the end that is read, in bytes; longer lines are read with more of it. */
const TAIL_BYTES = 64 * 1024;

/** Returns the last line of a file without its end; null if it has none. Cuts off what follows the last newline. */
export function lastLineOf(path: string): string | null {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    for (let wanted = TAIL_BYTES; ; wanted *= 2) {
      const tail = Buffer.alloc(Math.min(wanted, size));
      readSync(file, tail, 0, tail.length, size - tail.length);
      const end = tail.lastIndexOf(0x0a);
      const start = end < 0 ? -1 : tail.subarray(0, end).lastIndexOf(0x0a);
      if (start < 0 && tail.length < size) continue;
      const whole = size - tail.length + end + 1;
      if (whole < size) ftruncateSync(file, whole);
      return end < 0 ? null : tail.toString('utf8', start + 1, end);
    }
  } finally {
    closeSync(file);
  }
}
