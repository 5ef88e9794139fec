import { createByteQueue } from '#src/core/base/byte-queue.ts';
import type { MailRoom } from './mail-room.ts';

/** A packet of the milter protocol: a command of one letter, and as much of its data as is of use. */
export interface MilterPacket {
  readonly command: string;
  /** Valid until more bytes arrive; empty for pieces of a body, which are passed on as they arrive. */
  readonly data: Buffer;
  /** True if data of use was left out: it is too long, or there was no room for it. */
  readonly isCut: boolean;
}

/** Reads packets from bytes as they arrive. Holds at most the data of one packet that are of use. */
export interface PacketReader {
  push(bytes: Uint8Array): void;
  /** Returns the next complete packet; null if it has not arrived, `malformed` if its length is 0 or above the maximum. */
  next(): MilterPacket | 'malformed' | null;
  /** Forgets what was read, and releases the memory. */
  close(): void;
}

/** Maximum length of a packet, in bytes: mail servers send bodies in pieces of 64 KiB, and headers of up to 100 KiB. */
export const MAX_PACKET_BYTES = 1024 * 1024;

/** Bytes of data that are of use, by command: of other commands there are none. */
const USED_BYTES: ReadonlyMap<string, number> = new Map([
  ['O', 12],
  ['D', 16 * 1024],
  ['L', 128 * 1024],
]);

/** Commands whose data is a piece of the body. */
const BODY_COMMANDS = 'BE';

/** Bytes that a packet may wait with beside the common room. */
const FREE_BYTES = 4096;

/** Length of the field that states the length of the rest, in bytes. */
const LENGTH_BYTES = 4;

/** A packet that has not arrived completely. */
interface OpenPacket {
  readonly command: string;
  /** Bytes of data that have not been read. */
  left: number;
  /** Bytes of data that are of use. */
  readonly used: number;
  data: Buffer;
  readonly isCut: boolean;
  /** Bytes that it takes of the room. */
  readonly reserved: number;
}

/** Creates a reader; `onBody` receives each piece of a body. */
export function createPacketReader(room: MailRoom, onBody: (piece: Buffer) => void): PacketReader {
  const queue = createByteQueue();
  let open: OpenPacket | null = null;

  function begin(): 'malformed' | null {
    if (queue.length < LENGTH_BYTES) return null;
    let length = 0;
    for (let at = 0; at < LENGTH_BYTES; at++) length = 256 * length + (queue.byteAt(at) ?? 0);
    if (length === 0 || length > MAX_PACKET_BYTES) return 'malformed';
    const letter = queue.byteAt(LENGTH_BYTES);
    if (letter === undefined) return null;
    const command = String.fromCharCode(letter);
    queue.skip(LENGTH_BYTES + 1);
    const left = length - 1;
    const wanted = Math.min(left, USED_BYTES.get(command) ?? 0);
    // The queue doubles as it grows.
    const needed = queue.length >= wanted || wanted <= FREE_BYTES ? 0 : 2 * wanted;
    const hasRoom = needed === 0 || room.take(needed);
    const isCut = !hasRoom || (wanted > 0 && left > wanted);
    open = { command, left, used: hasRoom ? wanted : 0, data: NOTHING, isCut, reserved: hasRoom ? needed : 0 };
    return null;
  }

  /** Reads the data of the open packet as far as it has arrived; false if more is to come. */
  function advance(packet: OpenPacket): boolean {
    if (packet.used > packet.data.length) {
      if (queue.length < packet.used) return false;
      const data = queue.peek(packet.used);
      // The rest of the packet may take the place of these bytes.
      packet.data = packet.isCut ? Buffer.from(data) : data;
      queue.skip(packet.used);
      packet.left -= packet.used;
    }
    if (packet.left === 0) return true;
    const arrived = Math.min(packet.left, queue.length);
    if (arrived > 0 && BODY_COMMANDS.includes(packet.command)) onBody(queue.peek(arrived));
    packet.left -= arrived;
    queue.skip(arrived);
    return packet.left === 0;
  }

  function end(): void {
    if (open !== null) room.release(open.reserved);
    open = null;
  }

  return {
    push: queue.push,
    next() {
      if (open === null && begin() === 'malformed') return 'malformed';
      const packet: OpenPacket | null = open;
      if (packet === null || !advance(packet)) return null;
      end();
      return packet;
    },
    close() {
      end();
      queue.skip(queue.length);
    },
  };
}

const NOTHING = Buffer.alloc(0);

/** Returns the place of the zero byte that ends a text of a packet. */
export function endOfText(data: Buffer, start: number): number {
  const zero = data.indexOf(0, start);
  return zero === -1 ? data.length : zero;
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
