import { createByteBlocks } from './byte-blocks.ts';
import type { MailRoom } from './mail-room.ts';
import { endOfText, type PacketData } from './milter-packet.ts';

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
