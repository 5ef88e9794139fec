import type { DnsType } from './answer.ts';
import { number16, number32, TYPE_NUMBERS } from './data.ts';
import { encodeName, readName } from './name.ts';

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
  const number = (value: number) => [value >> 8, value & 0xff];
  const flags = 0x0120; // RD and AD
  return Uint8Array.from([
    ...[id, flags, 1, 0, 0, edns ? 1 : 0].flatMap(number),
    ...encodeName(name),
    ...[TYPE_NUMBERS[type], CLASS_IN].flatMap(number),
    ...(edns ? [0, ...[TYPE_OPT, UDP_PAYLOAD_BYTES, 0, 0, 0].flatMap(number)] : []),
  ]);
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
