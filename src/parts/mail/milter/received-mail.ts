import { release } from '#src/core/base/threads/release.ts';
import type { MailRoom } from './mail-room.ts';
import { endOfText, type PacketData } from './milter-packet.ts';

/** Bytes of many small pieces, joined in blocks: a piece costs what it weighs, and no object of its own. */
interface ByteBlocks {
  /** Number of bytes that were added. */
  readonly length: number;
  /** Copies the bytes between two places; false if not all of them have room, in which case the beginning is stored. */
  add(bytes: Uint8Array, from?: number, to?: number): boolean;
  /** Returns all bytes and forgets them; their room stays taken until {@link ByteBlocks.clear}. */
  takeAll(): Uint8Array<ArrayBuffer>;
  /** Forgets everything and releases the room. */
  clear(): void;
}

/** Sizes of the first block and of the largest, in bytes; each is twice as large as the one before. */
const MIN_BLOCK_BYTES = 1024;
const MAX_BLOCK_BYTES = 256 * 1024;

/** Length up to which bytes are copied one by one. */
const SHORT_BYTES = 256;

/** Creates blocks for at most a number of bytes; each block takes its size of the room. */
function createByteBlocks(room: MailRoom, most: number): ByteBlocks {
  let blocks: Uint8Array<ArrayBuffer>[] = [];
  let [size, taken, free] = [0, 0, 0];

  function addBlock(): boolean {
    const length = Math.min(Math.max(MIN_BLOCK_BYTES, taken), MAX_BLOCK_BYTES, most - taken);
    if (length === 0 || !room.take(length)) return false;
    blocks.push(new Uint8Array(length));
    taken += length;
    free = length;
    return true;
  }

  return {
    get length() {
      return size;
    },
    add(bytes, from = 0, to = bytes.length) {
      for (let at = from; at < to; ) {
        if (free === 0 && !addBlock()) return false;
        const block = blocks[blocks.length - 1] ?? new Uint8Array();
        const length = Math.min(free, to - at);
        const place = block.length - free;
        // A view of a short piece would be an object for each line of the headers.
        if (length > SHORT_BYTES) block.set(bytes.subarray(at, at + length), place);
        else for (let i = 0; i < length; i++) block[place + i] = bytes[at + i] ?? 0;
        free -= length;
        size += length;
        at += length;
      }
      return true;
    },
    takeAll() {
      const all = new Uint8Array(size);
      let at = 0;
      for (const block of blocks) {
        const piece = block.subarray(0, size - at);
        all.set(piece, at);
        at += piece.length;
        release(block);
      }
      blocks = [];
      return all;
    },
    clear() {
      room.release(taken);
      for (const block of blocks) release(block);
      blocks = [];
      [size, taken, free] = [0, 0, 0];
    },
  };
}

/** Headers that lurecheck adds, in lower case. A mail that arrives with them has them removed. */
export const OWN_HEADERS = ['x-lurecheck', 'x-lurecheck-flag'] as const;

const OWN: ReadonlySet<string> = new Set(OWN_HEADERS);

/** Macros of the mail server that are used: the number of the mail, and the name by which the sender authenticated. */
export const MACROS: ReadonlySet<string> = new Set(['i', '{auth_authen}']);

/** Length of the longest of {@link MACROS}, in characters. */
export const MAX_MACRO_NAME = Math.max(...Array.from(MACROS, ({ length }) => length));

/** A mail as the mail server passed it on, within its bounds. */
export interface ReceivedMail {
  /** Number of the mail at the mail server; null if it stated none. */
  readonly queueId: string | null;
  /** True if the sender authenticated to the mail server. */
  readonly isAuthenticated: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** False if the mail is longer than what is collected. */
  readonly isWhole: boolean;
}

/** Collects the mails of one connection, one after the other. */
export interface MailCollector {
  /** Takes one of {@link MACROS}. */
  define(name: string, value: string): void;
  /** Takes the data of a header: its name and its value, each with a zero byte behind it. */
  header(data: PacketData): void;
  body(bytes: Buffer): void;
  /** Notes that a part of the mail was not passed on to here. */
  leaveOut(): void;
  /** Returns the mail; to be called once. */
  mail(): ReceivedMail;
  /** Returns how often each of {@link OWN_HEADERS} is in the mail. */
  forged(): ReadonlyMap<string, number>;
  /** Forgets the mail and its sender, and releases the memory. */
  reset(): void;
}

/** Maximum length of a collected mail, in bytes: Base64 of 1 MiB of text, and its headers. */
export const MAX_MAIL_BYTES = 2 * 1024 * 1024;

/**
 * Maximum number of headers, and of their bytes, that are collected; real mails have up to 200. Beyond, only the headers
 * by which the body is read.
 */
const MAX_HEADERS = 2000;
const MAX_HEADER_BYTES = 512 * 1024;
const CONTENT_HEADER = /^content-[a-z-]{2,30}$/;

/** Longest name that is compared, in characters. */
const MAX_NAME = 64;

/** Beginnings of the names that are compared, in lower case. */
const BEGINNINGS = ['x-lurecheck', 'content-'].map((text) => Buffer.from(text));

/** Quickly rejects names that are not counted: a mail may have a hundred thousand headers. */
function mayCount({ bytes, from }: PacketData, nameEnd: number): boolean {
  let start = from;
  // White space before a name is ignored, and no byte below the space is part of one.
  while (start < nameEnd && (bytes[start] ?? 0) <= 0x20) start++;
  if (nameEnd - from > MAX_NAME) return false;
  for (const name of BEGINNINGS) if (startsWith(bytes, start, name)) return true;
  return false;
}

function startsWith(bytes: Buffer, start: number, name: Buffer): boolean {
  for (let at = 0; at < name.length; at++) {
    const byte = bytes[start + at] ?? 0;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (lower !== name[at]) return false;
  }
  return true;
}

/** Maximum length of a queue id that is recorded, in characters. */
const MAX_QUEUE_ID = 64;

const COLON = Buffer.from(': ');
const LINE_END = Buffer.from('\r\n');

/**
 * Replacement for missing headers: readers skip blank lines before the first header, and would mistake the body for
 * headers.
 */
const NO_HEADERS = Buffer.from('MIME-Version: 1.0\r\n\r\n');

/** Creates a collector without a mail. */
export function createMailCollector(room: MailRoom): MailCollector {
  const blocks = createByteBlocks(room, MAX_MAIL_BYTES);
  let [isWhole, hasBody, headers] = [true, false, 0];
  let forged = new Map<string, number>();
  let macros = new Map<string, string>();

  function add(piece: Buffer, from?: number, to?: number): void {
    isWhole = blocks.add(piece, from, to) && isWhole;
  }

  return {
    define(name, value) {
      macros.set(name, value);
    },
    header(data) {
      const { bytes, from, to } = data;
      const nameEnd = endOfText(data, from);
      if (nameEnd + 1 >= to) return;
      const key = mayCount(data, nameEnd) ? bytes.toString('latin1', from, nameEnd).trim().toLowerCase() : '';
      if (OWN.has(key)) {
        forged.set(key, (forged.get(key) ?? 0) + 1);
        return;
      }
      headers += 1;
      const isFull = headers > MAX_HEADERS || blocks.length > MAX_HEADER_BYTES;
      if (isFull && !CONTENT_HEADER.test(key)) {
        isWhole = false;
        return;
      }
      add(bytes, from, nameEnd);
      add(COLON);
      add(bytes, nameEnd + 1, endOfText(data, nameEnd + 1));
      add(LINE_END);
    },
    body(bytes) {
      if (!hasBody) add(headers === 0 ? NO_HEADERS : LINE_END);
      hasBody = true;
      add(bytes);
    },
    leaveOut() {
      isWhole = false;
    },
    mail() {
      const queueId =
        macros
          .get('i')
          ?.replace(/[^\w.-]/g, '')
          .slice(0, MAX_QUEUE_ID) || null;
      const isAuthenticated = (macros.get('{auth_authen}') ?? '') !== '';
      return { queueId, isAuthenticated, bytes: blocks.takeAll(), isWhole };
    },
    forged: () => forged,
    reset() {
      blocks.clear();
      [isWhole, hasBody, headers] = [true, false, 0];
      forged = new Map();
      macros = new Map();
    },
  };
}
