import { createByteQueue } from '#src/core/base/byte-queue.ts';
import type { MailRoom } from './mail-room.ts';

/** Data of a packet, between two places of bytes: an object for each of a million headers would be garbage. */
export interface PacketData {
  /** Valid until more bytes arrive. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/**
 * A packet of the milter protocol: a command letter, and the used part of its data. Pieces of a body are not packets,
 * but are passed on as they arrive.
 */
export interface MilterPacket extends PacketData {
  readonly command: string;
  /** True if data of use was left out: it is too long, or there was no room for it. */
  readonly isCut: boolean;
}

/** Maximum length of a packet, in bytes: mail servers send bodies in pieces of 64 KiB, and headers of up to 100 KiB. */
export const MAX_PACKET_BYTES = 1024 * 1024;

/** Number of used data bytes by command; 0 for others. */
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

/** Creates a reader, which holds at most the data of one packet that are of use; `onBody` receives each piece of a body. */
export function createPacketReader(room: MailRoom, onBody: (piece: Buffer) => void) {
  const queue = createByteQueue();
  const packet = { command: '', bytes: NOTHING as Buffer, from: 0, to: 0, isCut: false };
  /** Bytes of data that have not been read, that are of use, and that the packet takes of the room. */
  let [left, used, reserved] = [0, 0, 0];
  let isOpen = false;

  function begin(): 'malformed' | null {
    if (queue.length < LENGTH_BYTES) return null;
    let length = 0;
    for (let at = 0; at < LENGTH_BYTES; at++) length = 256 * length + (queue.byteAt(at) ?? 0);
    if (length === 0 || length > MAX_PACKET_BYTES) return 'malformed';
    const letter = queue.byteAt(LENGTH_BYTES);
    if (letter === undefined) return null;
    const command = String.fromCharCode(letter);
    queue.skip(LENGTH_BYTES + 1);
    left = length - 1;
    const wanted = Math.min(left, USED_BYTES.get(command) ?? 0);
    // The queue doubles as it grows.
    const needed = queue.length >= wanted || wanted <= FREE_BYTES ? 0 : 2 * wanted;
    const hasRoom = needed === 0 || room.take(needed);
    used = hasRoom ? wanted : 0;
    reserved = hasRoom ? needed : 0;
    packet.command = command;
    packet.bytes = NOTHING;
    packet.from = 0;
    packet.to = 0;
    packet.isCut = !hasRoom || (wanted > 0 && left > wanted);
    isOpen = true;
    return null;
  }

  /** Reads the data of the open packet as far as it has arrived; false if more is to come. */
  function advance(): boolean {
    if (used > packet.to - packet.from) {
      if (queue.length < used) return false;
      // The rest of the packet may take the place of these bytes.
      packet.bytes = packet.isCut ? Buffer.from(queue.peek(used)) : queue.bytes;
      packet.from = packet.isCut ? 0 : queue.start;
      packet.to = packet.from + used;
      queue.skip(used);
      left -= used;
    }
    if (left === 0) return true;
    const arrived = Math.min(left, queue.length);
    if (arrived > 0 && BODY_COMMANDS.includes(packet.command)) onBody(queue.peek(arrived));
    left -= arrived;
    queue.skip(arrived);
    return left === 0;
  }

  function end(): void {
    if (isOpen) room.release(reserved);
    isOpen = false;
  }

  return {
    push: queue.push,
    /** Returns the next complete packet, always in the same object; null if it has not arrived, `malformed` if its length is 0 or above the maximum. */
    next() {
      if (!isOpen && begin() === 'malformed') return 'malformed';
      if (!isOpen || !advance()) return null;
      end();
      return packet;
    },
    /** Forgets what was read, and releases the memory. */
    close() {
      end();
      queue.skip(queue.length);
    },
  };
}

const NOTHING = Buffer.alloc(0);

/** Length of texts that are searched byte by byte. */
const MAX_SHORT = 64;

/** Returns the place of the zero byte that ends a text of a packet. */
export function endOfText({ bytes, to }: PacketData, start: number): number {
  const searched = Math.min(to, start + MAX_SHORT);
  for (let at = start; at < searched; at++) if (bytes[at] === 0) return at;
  // Fast from some bytes on; the length of the next packet has a zero byte as well.
  const zero = searched < to ? bytes.indexOf(0, searched) : -1;
  return zero === -1 ? to : Math.min(zero, to);
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
