/** Bytes of a program that identify its platform: its headers and the name of its loader. */
export const HEAD_BYTES = 8192;

/** Processors by `e_machine` (elf(5)). */
const PROCESSORS: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' };

/** The type of the program header that names the loader. */
const PT_INTERP = 3;

/**
 * Returns the platform of a program as releases are named: `linux-x64`, `linux-arm64-musl`; null if it is not a program
 * for Linux on one of their processors.
 *
 * @param head its first {@link HEAD_BYTES} bytes, or all if it has fewer
 */
export function platformOf(head: Uint8Array): string | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  // 64 bits, the lowest byte first.
  if (bytes.length < 64 || bytes.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') return null;
  const processor = PROCESSORS[bytes.readUInt16LE(18)];
  if (processor === undefined) return null;
  return `linux-${processor}${/musl/.test(loaderIn(bytes)) ? '-musl' : ''}`;
}

/** Returns the path of the loader; empty if the head does not name one. */
function loaderIn(bytes: Buffer): string {
  const [start, size, count] = [Number(bytes.readBigUInt64LE(32)), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  for (let n = 0; n < count; n++) {
    const header = bytes.subarray(start + n * size, start + (n + 1) * size);
    if (header.length < 40 || header.readUInt32LE(0) !== PT_INTERP) continue;
    const [at, length] = [Number(header.readBigUInt64LE(8)), Number(header.readBigUInt64LE(32))];
    return bytes.toString('latin1', at, at + length);
  }
  return '';
}
