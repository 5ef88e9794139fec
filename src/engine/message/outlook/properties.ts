import type { Storage } from './compound-file.ts';
import { codePageDecoder } from './rtf-markup.ts';

/** Properties of a message or of an attachment (MS-OXMSG §2.1, §2.4). */
export interface MessageProperties {
  /** Returns a text; empty if it is absent. */
  text(id: number): string;
  bytes(id: number): Uint8Array<ArrayBuffer> | null;
  /** Returns a number of at most 32 bits, or true as 1; null if it is absent. */
  number(id: number): number | null;
  /** Returns a time in ISO 8601; null if it is absent. */
  time(id: number): string | null;
}

/** Bytes before the entries: of a message, of one within another, and of an attachment (§2.4.1). */
export const PROPERTY_HEADER = { message: 32, inner: 24, attachment: 8 } as const;

const ENTRY_BYTES = 16;

/** Types of properties (MS-OXCDATA §2.11.1) as streams are named. */
const [WIDE, NARROW, BINARY] = ['001F', '001E', '0102'] as const;

/** The code page of narrow texts: that of the message, then that of its body. */
const CODE_PAGES = [0x3ffd, 0x3fde];

/** Maximum length of a text, in bytes. */
const MAX_TEXT = 8 * 1024 * 1024;

/** 100-nanosecond intervals of a millisecond, and milliseconds from 1601 to 1970. */
const INTERVALS = 10_000n;
const EPOCH = 11_644_473_600_000n;

export function messageProperties(storage: Storage, headerBytes: number): MessageProperties {
  const table = storage.stream('__properties_version1.0') ?? new Uint8Array();
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const places = new Map<number, number>();
  for (let at = headerBytes; at + ENTRY_BYTES <= table.length; at += ENTRY_BYTES)
    places.set(view.getUint16(at + 2, true), at + 8);
  const number = (id: number) => {
    const at = places.get(id);
    return at === undefined ? null : view.getInt32(at, true);
  };
  const stream = (id: number, type: string) =>
    storage.stream(`__substg1.0_${id.toString(16).toUpperCase().padStart(4, '0')}${type}`);
  const codePage = CODE_PAGES.reduce<number | null>((found, id) => found ?? number(id), null);
  return {
    number,
    bytes: (id) => stream(id, BINARY),
    text(id) {
      const wide = stream(id, WIDE)?.subarray(0, MAX_TEXT);
      if (wide !== undefined) return withoutEnd(new TextDecoder('utf-16le').decode(wide));
      const narrow = stream(id, NARROW)?.subarray(0, MAX_TEXT);
      return narrow === undefined ? '' : withoutEnd(codePageDecoder(codePage ?? 1252).decode(narrow));
    },
    time(id) {
      const at = places.get(id);
      if (at === undefined) return null;
      const date = new Date(Number(view.getBigUint64(at, true) / INTERVALS - EPOCH));
      return Number.isNaN(date.getTime()) ? null : date.toISOString();
    },
  };
}

/** Returns a text without the zeros at its end. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0) end--;
  return text.slice(0, end);
}
