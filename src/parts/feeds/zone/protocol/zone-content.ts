import { DNS, HEADER_BYTES, MAX_NAME_BYTES, wireName, writeLabels } from './message.ts';

/** A version of a zone, as the text of a zone file. */
export interface Zone {
  readonly name: string;
  /** Length of the name in messages, in bytes. */
  readonly nameBytes: number;
  readonly serial: number;
  /** Its first record, whose owner points to the question of the message. */
  readonly soa: Buffer;
  /** The records behind the first, one per line, and their time to live in seconds. */
  readonly text: Uint8Array;
  readonly recordsAt: number;
  readonly ttlSeconds: number;
}

const [NEWLINE, SPACE, BACKSLASH, DOT, AT] = [0x0a, 0x20, 0x5c, 0x2e, 0x40];
const [TYPE_NS, TYPE_CNAME] = [2, 5];

/** Pointer to the name of the question, which every message of an answer has (RFC 1035 §4.1.4). */
const TO_QUESTION = 0xc000 | HEADER_BYTES;

/** Space that a record takes at most, in bytes: two names and ten bytes between them. */
const MAX_ZONE_RECORD_BYTES = 600;

/**
 * Reads the beginning of a zone file as the feed writes it: a comment, `$TTL`, the SOA record, then one record per line.
 *
 * @throws Error if it does not begin so
 */
export function readZone(name: string, text: Uint8Array): Zone {
  const head = Buffer.from(text.buffer, text.byteOffset, Math.min(text.length, 4096)).toString('latin1');
  const [whole, ttl, primary = '', contact = '', ...numbers] =
    /^(?:;.*\n)*\$TTL (\d+)\n@ SOA (\S+) (\S+) (\d+) (\d+) (\d+) (\d+) (\d+)\n/.exec(head) ?? [];
  if (whole === undefined) throw new Error('the zone does not begin with its SOA record');
  const times = Buffer.alloc(20);
  for (const [at, number] of numbers.entries()) times.writeUInt32BE(Number(number), 4 * at);
  const data = Buffer.concat([wireName(primary), wireName(contact), times]);
  const ttlSeconds = Number(ttl);
  return {
    ...{ name, nameBytes: wireName(name).length, text, ttlSeconds, recordsAt: whole.length },
    serial: times.readUInt32BE(0),
    soa: Buffer.concat([recordHead(DNS.SOA, ttlSeconds, data.length), data]),
  };
}

function recordHead(type: number, ttlSeconds: number, length: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(TO_QUESTION, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(DNS.IN, 4);
  head.writeUInt32BE(ttlSeconds, 6);
  head.writeUInt16BE(length, 10);
  return head;
}

/**
 * Writes records of a zone from an offset in its text into a message, as many as fit before `limit`. Returns their
 * number, their end in the message, and the position of the next one in the text.
 *
 * @throws Error if a line is not a record that a feed contains
 */
export function writeRecords(zone: Zone, from: number, message: Buffer, start: number, limit: number) {
  const { text } = zone;
  let [next, to, count] = [from, start, 0];
  while (next < text.length && to + MAX_ZONE_RECORD_BYTES <= limit) {
    const end = text.indexOf(NEWLINE, next);
    if (end === -1) throw new Error('the last line of the zone does not end');
    to = writeRecord(zone, next, end, message, to);
    next = end + 1;
    count++;
  }
  return { count, to, next };
}

function writeRecord(
  { text, ttlSeconds, nameBytes }: Zone,
  start: number,
  end: number,
  message: Buffer,
  at: number,
): number {
  const ownerEnd = wordEnd(text, start, end);
  const typeEnd = wordEnd(text, ownerEnd + 1, end);
  const type = typeAt(text, ownerEnd + 1, typeEnd);
  const isApex = ownerEnd === start + 1 && text[start] === AT;
  let to = isApex ? at : writeLabels(text, start, ownerEnd, message, at);
  // Names that end with a dot are not below the zone.
  if (
    to === -1 ||
    to - at + nameBytes > MAX_NAME_BYTES ||
    type === 0 ||
    text[ownerEnd - 1] === DOT ||
    text[end - 1] !== DOT
  )
    throw notARecord(text, start, end);
  to = message.writeUInt16BE(TO_QUESTION, to);
  to = message.writeUInt16BE(type, to);
  to = message.writeUInt16BE(DNS.IN, to);
  to = message.writeUInt32BE(ttlSeconds, to);
  const isRoot = end - typeEnd === 2;
  const dataEnd = isRoot ? to + 2 : writeLabels(text, typeEnd + 1, end, message, to + 2);
  if (dataEnd === -1) throw notARecord(text, start, end);
  message[dataEnd] = 0;
  message.writeUInt16BE(dataEnd + 1 - (to + 2), to);
  return dataEnd + 1;
}

/** Returns the end of a word; a character after a backslash belongs to it. */
function wordEnd(text: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && text[at] !== SPACE) at += text[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, end);
}

/** Returns the number of a type that a feed contains; 0 for any other. */
function typeAt(text: Uint8Array, start: number, end: number): number {
  const word = String.fromCharCode(...text.subarray(start, Math.min(end, start + 6)));
  return word === 'CNAME' ? TYPE_CNAME : word === 'NS' ? TYPE_NS : 0;
}

function notARecord(text: Uint8Array, start: number, end: number): Error {
  return new Error(`not a record of a feed: ${Buffer.from(text.subarray(start, end)).toString('latin1')}`);
}
