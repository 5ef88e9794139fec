import { formatIp } from '#src/core/base/addresses/ip.ts';
import { MAX_CAPTURED_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { encodeName, readName } from './name.ts';

/** The numbers of the record types (IANA DNS parameters). */
export const TYPE_NUMBERS: Readonly<Record<DnsType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  CAA: 257,
};

/** The data of one record within a message. Compressed names in it may point to any earlier offset. */
type DataAt = Pick<RawRecord, 'message' | 'start' | 'end'>;

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Parsers of record data; null if the data does not have the format of its type. */
export const DATA_READERS: { readonly [T in DnsType]: (at: DataAt) => DnsData[T] | null } = {
  A: ({ message, start, end }) => (end - start === 4 ? message.subarray(start, end).join('.') : null),
  AAAA: ({ message, start, end }) => (end - start === 16 ? ipv6(message.subarray(start, end)) : null),
  CNAME: soleName,
  NS: soleName,
  MX({ message, start, end }) {
    const exchange = soleName({ message, start: start + 2, end });
    return exchange === null || end - start < 3 ? null : { preference: number16(message, start), exchange };
  },
  SOA({ message, start, end }) {
    const primary = readName(message, start);
    const contact = primary && readName(message, primary.end);
    // Serial, refresh, retry, expire, minimum: five numbers of 32 bits.
    if (!primary || !contact || contact.end + 20 !== end) return null;
    return { primary: primary.name, contact: contact.name, serial: number32(message, contact.end) };
  },
  TXT({ message, start, end }) {
    const strings: Uint8Array[] = [];
    for (let at = start; at < end; ) {
      const next = at + 1 + (message[at] ?? 0);
      if (next > end) return null;
      strings.push(message.subarray(at + 1, next));
      at = next;
    }
    return strings.length === 0 ? null : truncateText(UTF8.decode(Buffer.concat(strings)), MAX_CAPTURED_LENGTH);
  },
  CAA({ message, start, end }) {
    const tagEnd = start + 2 + (message[start + 1] ?? 0);
    if (end - start < 2 || tagEnd > end || tagEnd === start + 2) return null;
    return {
      flags: message[start] ?? 0,
      tag: UTF8.decode(message.subarray(start + 2, tagEnd)).toLowerCase(),
      value: truncateText(UTF8.decode(message.subarray(tagEnd, end)), MAX_CAPTURED_LENGTH),
    };
  },
};

/** Returns the negative-caching TTL of an SOA record, in seconds (RFC 2308 §5): its last number. */
export function soaMinimum({ message, end }: DataAt): number {
  return number32(message, end - 4);
}

export function number16(message: Uint8Array, at: number): number {
  return ((message[at] ?? 0) << 8) | (message[at + 1] ?? 0);
}

function number32(message: Uint8Array, at: number): number {
  return number16(message, at) * 0x10000 + number16(message, at + 2);
}

function soleName({ message, start, end }: DataAt): string | null {
  const read = readName(message, start);
  return read && read.end === end ? read.name : null;
}

function ipv6(octets: Uint8Array): string {
  return formatIp({ family: 6, value: octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n) });
}

export interface DnsQuestion {
  readonly id: number;
  readonly name: string;
  readonly type: DnsType;
  /** False for servers that do not understand EDNS (RFC 6891). Default: true. */
  readonly edns?: boolean;
}

/** A record with unparsed data: the octets of `message` from `start` to `end`. */
export interface RawRecord {
  readonly owner: string;
  readonly typeNumber: number;
  readonly ttlSeconds: number;
  readonly message: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** A well-formed response to a query. */
export interface DnsResponse {
  readonly rcode: string;
  readonly truncated: boolean;
  readonly authenticated: boolean;
  readonly answers: readonly RawRecord[];
  readonly authority: readonly RawRecord[];
}

const CLASS_IN = 1;
const TYPE_OPT = 41;
/** Maximum UDP payload that avoids fragmentation (DNS flag day 2020). */
const UDP_PAYLOAD_BYTES = 1232;
const MAX_TTL_SECONDS = 86_400;

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];

/** Encodes a recursive query that requests the AD bit (RFC 6840 §5.7). */
export function encodeQuery({ id, name, type, edns = true }: DnsQuestion): Uint8Array {
  const encoded = encodeName(name);
  const query = Buffer.alloc(12 + encoded.length + 4 + (edns ? 11 : 0));
  let at = 0;
  const add = (...numbers: readonly number[]) => {
    for (const number of numbers) at = query.writeUInt16BE(number, at);
  };
  const flags = 0x0120; // RD and AD
  add(id, flags, 1, 0, 0, edns ? 1 : 0);
  query.set(encoded, at);
  at += encoded.length;
  add(TYPE_NUMBERS[type], CLASS_IN);
  at += 1; // The root, in front of the options.
  if (edns) add(TYPE_OPT, UDP_PAYLOAD_BYTES, 0, 0, 0);
  return query;
}

/** Returns whether a message is a response to this query. Others may be spoofed and must be ignored. */
export function answersQuestion(message: Uint8Array, { id, name, type }: DnsQuestion): boolean {
  const isResponse = ((message[2] ?? 0) & 0xf8) === 0x80; // QR set, opcode QUERY
  if (number16(message, 0) !== id || !isResponse || number16(message, 4) !== 1) return false;
  const asked = readName(message, 12);
  return (
    asked !== null &&
    asked.end + 4 <= message.length &&
    asked.name === name &&
    number16(message, asked.end) === TYPE_NUMBERS[type] &&
    number16(message, asked.end + 2) === CLASS_IN
  );
}

/** Parses a message that {@link answersQuestion}; null if it is malformed. */
export function readDnsResponse(message: Uint8Array): DnsResponse | null {
  const question = readName(message, 12);
  if (!question) return null;
  let at = question.end + 4;
  const sections: RawRecord[][] = [];
  for (const countAt of [6, 8, 10]) {
    const section: RawRecord[] = [];
    for (let left = number16(message, countAt); left > 0; left--) {
      const record = readRecord(message, at);
      if (!record) return null;
      at = record.end;
      section.push(record);
    }
    sections.push(section);
  }
  const [answers = [], authority = [], additional = []] = sections;
  const isInternet = ({ message: bytes, start }: RawRecord) => number16(bytes, start - 8) === CLASS_IN;
  // The upper bits of the response code travel in the TTL of the OPT record (RFC 6891 §6.1.3).
  const opt = additional.find(({ typeNumber }) => typeNumber === TYPE_OPT);
  const code = ((opt ? (message[opt.start - 6] ?? 0) : 0) << 4) | ((message[3] ?? 0) & 0x0f);
  return {
    rcode: RCODES[code] ?? `RCODE${code}`,
    truncated: ((message[2] ?? 0) & 0x02) !== 0,
    authenticated: ((message[3] ?? 0) & 0x20) !== 0,
    answers: answers.filter(isInternet),
    authority: authority.filter(isInternet),
  };
}

function readRecord(message: Uint8Array, at: number): RawRecord | null {
  const owner = readName(message, at);
  if (!owner || owner.end + 10 > message.length) return null;
  const start = owner.end + 10;
  const end = start + number16(message, owner.end + 8);
  if (end > message.length) return null;
  const ttl = number32(message, owner.end + 4);
  return {
    owner: owner.name,
    typeNumber: number16(message, owner.end),
    // A TTL with its top bit set means zero (RFC 2181 §8).
    ttlSeconds: ttl > 0x7fffffff ? 0 : Math.min(ttl, MAX_TTL_SECONDS),
    message,
    start,
    end,
  };
}

/** Data of each record type. Names are lower case without the final dot. */
export interface DnsData {
  readonly A: string;
  readonly AAAA: string;
  readonly CNAME: string;
  readonly NS: string;
  readonly MX: { readonly preference: number; readonly exchange: string };
  readonly SOA: { readonly primary: string; readonly contact: string; readonly serial: number };
  /** The strings of one record joined, read as UTF-8; at most 1,024 characters, as of the value of a CAA record. */
  readonly TXT: string;
  readonly CAA: { readonly flags: number; readonly tag: string; readonly value: string };
}

export type DnsType = keyof DnsData;
