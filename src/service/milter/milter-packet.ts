import type { ByteQueue } from '#src/core/base/byte-queue.ts';

/** A packet of the milter protocol: a command of one letter, and its data. */
export interface MilterPacket {
  readonly command: string;
  readonly data: Buffer;
}

/** Maximum length of a packet, in bytes: mail servers send bodies in pieces of 64 KiB, and headers of up to 100 KiB. */
export const MAX_PACKET_BYTES = 1024 * 1024;

/** Length of the field that states the length of the rest, in bytes. */
const LENGTH_BYTES = 4;

/** Reads the next packet. Returns null if it has not arrived, `malformed` if its length is 0 or above the maximum. */
export function readPacket(bytes: ByteQueue): MilterPacket | 'malformed' | null {
  if (bytes.length < LENGTH_BYTES) return null;
  const length = bytes.peek(LENGTH_BYTES).readUInt32BE(0);
  if (length === 0 || length > MAX_PACKET_BYTES) return 'malformed';
  if (bytes.length < LENGTH_BYTES + length) return null;
  bytes.skip(LENGTH_BYTES);
  const content = Buffer.from(bytes.peek(length));
  bytes.skip(length);
  return { command: content.toString('latin1', 0, 1), data: content.subarray(1) };
}

/** Returns the bytes of a packet. A number becomes 32 bits, a text ends with a zero byte. */
export function writePacket(command: string, ...parts: readonly (number | string)[]): Buffer {
  const data = Buffer.concat(parts.map((part) => (typeof part === 'number' ? wordOf(part) : Buffer.from(`${part}\0`))));
  return Buffer.concat([wordOf(1 + data.length), Buffer.from(command, 'latin1'), data]);
}

function wordOf(value: number): Buffer {
  const word = Buffer.alloc(4);
  word.writeUInt32BE(value >>> 0, 0);
  return word;
}
