/** Longest name with its root, and longest label, in bytes (RFC 1035 §2.3.4). */
export const MAX_NAME_BYTES = 255;
const MAX_LABEL_BYTES = 63;

const [DOT, BACKSLASH] = [0x2e, 0x5c];

/**
 * Writes the labels of a name in the notation of zone files, where a backslash precedes a character that is meant as it is
 * (RFC 1035 §5.1; not the form with three digits). Neither a final dot nor the root is written.
 *
 * @returns the offset behind the last label; -1 if the name is not valid or `target` is too small
 */
export function writeLabels(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  const limit = Math.min(target.length, at + MAX_NAME_BYTES - 1);
  let [lengthAt, to] = [at, at + 1];
  for (let from = start; from < end; from++) {
    const byte = source[from];
    if (byte === DOT) {
      if (!closeLabel(target, lengthAt, to)) return -1;
      lengthAt = to++;
      continue;
    }
    if (byte === BACKSLASH) from++;
    if (from === end || to >= limit) return -1;
    target[to++] = source[from] ?? 0;
  }
  // Behind a final dot there is no label.
  if (to === lengthAt + 1) return lengthAt === at ? -1 : lengthAt;
  return closeLabel(target, lengthAt, to) ? to : -1;
}

/** Writes the length of a label before it; false if there is none of that length. */
function closeLabel(target: Uint8Array, lengthAt: number, to: number): boolean {
  const length = to - lengthAt - 1;
  target[lengthAt] = length;
  return length > 0 && length <= MAX_LABEL_BYTES;
}

/** Returns a name as it is in messages, with the root at its end. Throws an Error if the name is not valid. */
export function wireName(name: string): Buffer {
  const source = Buffer.from(name, 'latin1');
  const target = Buffer.alloc(MAX_NAME_BYTES + 1);
  const end = name === '' || name === '.' ? 0 : writeLabels(source, 0, source.length, target, 0);
  if (end === -1) throw new Error(`${name} is not a DNS name`);
  return Buffer.from(target.subarray(0, end + 1).fill(0, end));
}
