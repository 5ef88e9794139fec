import { readName } from '#src/network/egress/dns/name.ts';

/** Longest name with its root, and longest label, in bytes (RFC 1035 §2.3.4). */
export const MAX_NAME_BYTES = 255;
const MAX_LABEL_BYTES = 63;

const [DOT, BACKSLASH] = [0x2e, 0x5c];

/**
 * Writes the labels of a name in the notation of zone files, where a backslash precedes a character that is meant as it is
 * (RFC 1035 §5.1; not the form with three digits). Neither a final dot nor the root is written.
 *
 * @returns the offset behind the last label; -1 if the name is not valid or `target` is too small
 */
export function writeLabels(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  const limit = Math.min(target.length, at + MAX_NAME_BYTES - 1);
  let [lengthAt, to] = [at, at + 1];
  for (let from = start; from < end; from++) {
    const byte = source[from];
    if (byte === DOT) {
      if (!closeLabel(target, lengthAt, to)) return -1;
      lengthAt = to++;
      continue;
    }
    if (byte === BACKSLASH) from++;
    if (from === end || to >= limit) return -1;
    target[to++] = source[from] ?? 0;
  }
  // Behind a final dot there is no label.
  if (to === lengthAt + 1) return lengthAt === at ? -1 : lengthAt;
  return closeLabel(target, lengthAt, to) ? to : -1;
}

/** Writes the length of a label before it; false if there is none of that length. */
function closeLabel(target: Uint8Array, lengthAt: number, to: number): boolean {
  const length = to - lengthAt - 1;
  target[lengthAt] = length;
  return length > 0 && length <= MAX_LABEL_BYTES;
}

/** Returns a name as it is in messages, with the root at its end. Throws an Error if the name is not valid. */
export function wireName(name: string): Buffer {
  const source = Buffer.from(name, 'latin1');
  const target = Buffer.alloc(MAX_NAME_BYTES + 1);
  const end = name === '' || name === '.' ? 0 : writeLabels(source, 0, source.length, target, 0);
  if (end === -1) throw new Error(`${name} is not a DNS name`);
  return Buffer.from(target.subarray(0, end + 1).fill(0, end));
}

/** Types, class and operations of messages (IANA DNS parameters). */
export const DNS = { SOA: 6, OPT: 41, TSIG: 250, IXFR: 251, AXFR: 252, IN: 1, ANY: 255, QUERY: 0, NOTIFY: 4 } as const;

/** Response codes (RFC 1035 §4.1.1, RFC 2136 §2.2), and those of extensions (RFC 6891 §9, RFC 8945 §3). */
export const RCODE = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, REFUSED: 5, NOTAUTH: 9, BADVERS: 16 } as const;

/** Length of a header, in bytes. The question begins there. */
export const HEADER_BYTES = 12;

/** Maximum number of records in a message that is read: a serial, EDNS and a signature are three. */
const MAX_RECORDS = 8;

/** The signature of a message, as it arrived (RFC 8945 §4.2). */
export interface TsigRecord {
  /** Offset of the record, which is the last of its message. */
  readonly start: number;
  /** In lower case without the final dot. */
  readonly keyName: string;
  readonly algorithm: string;
  /** Seconds since the Unix epoch, and by how many seconds the clocks may differ. */
  readonly timeSigned: number;
  readonly fudge: number;
  readonly mac: Buffer;
  readonly originalId: number;
  readonly error: number;
  readonly other: Buffer;
}

/** A message with one question. */
export interface DnsMessage {
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly rcode: number;
  readonly isRecursionDesired: boolean;
  /** Name, type and class as they arrived. */
  readonly question: Buffer;
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** Serial that the sender has, in its authority section (RFC 1995 §3); null without it. */
  readonly serial: number | null;
  /** Version of EDNS (RFC 6891); null without it. */
  readonly edns: number | null;
  readonly tsig: TsigRecord | null;
}

/** Reads a message. Returns null if it is malformed or does not have exactly one question. */
export function readDnsMessage(bytes: Buffer): DnsMessage | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(4) !== 1) return null;
  const name = readName(bytes, HEADER_BYTES);
  if (name === null || !isPlain(bytes, name.end)) return null;
  const question = Buffer.from(bytes.subarray(HEADER_BYTES, name.end + 4));
  const records = readRecords(bytes, name.end + 4);
  if (records === null) return null;
  const tsigs = records.filter(({ type }) => type === DNS.TSIG);
  const opts = records.filter(({ type, section }) => type === DNS.OPT && section === 'additional');
  const last = records.at(-1);
  if (opts.length > 1 || tsigs.length > 1 || (tsigs.length === 1 && tsigs[0] !== last)) return null;
  const tsig = tsigs[0] ? readTsig(bytes, tsigs[0]) : null;
  if (tsig === 'malformed') return null;
  const flags = bytes.readUInt16BE(2);
  const [opt] = opts;
  return {
    id: bytes.readUInt16BE(0),
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0xf,
    rcode: flags & 0xf,
    isRecursionDesired: (flags & 0x0100) !== 0,
    ...{ question, name: name.name },
    type: bytes.readUInt16BE(name.end),
    class: bytes.readUInt16BE(name.end + 2),
    serial: serialIn(bytes, records),
    edns: opt ? (bytes[opt.start - 5] ?? 0) : null,
    tsig,
  };
}

/** A message that asks, or that notifies. */
interface QuestionOptions {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** Flags and operation; a query by default. */
  readonly flags?: number;
}

/** Writes a message with a question alone. */
export function writeQuestion({ id, name, type, flags = 0 }: QuestionOptions): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(1, 4);
  return Buffer.concat([head, wireName(name), Uint8Array.of(type >> 8, type & 0xff, 0, DNS.IN)]);
}

/** True if the name of the question has no pointer: there is nothing before it that it could point to. */
function isPlain(bytes: Buffer, end: number): boolean {
  let at = HEADER_BYTES;
  while (at < end - 1) at += 1 + (bytes[at] ?? 0);
  return at === end - 1 && bytes[at] === 0;
}

interface RecordAt {
  readonly section: 'answer' | 'authority' | 'additional';
  /** Offset of its owner. */
  readonly from: number;
  readonly owner: string;
  readonly type: number;
  readonly class: number;
  /** Offsets of its data. */
  readonly start: number;
  readonly end: number;
}

/** Reads the records of all sections, which must end with the message. */
function readRecords(bytes: Buffer, start: number): RecordAt[] | null {
  const counts = {
    answer: bytes.readUInt16BE(6),
    authority: bytes.readUInt16BE(8),
    additional: bytes.readUInt16BE(10),
  };
  if (counts.answer + counts.authority + counts.additional > MAX_RECORDS) return null;
  const records: RecordAt[] = [];
  let at = start;
  for (const section of ['answer', 'authority', 'additional'] as const) {
    for (let left = counts[section]; left > 0; left--) {
      const owner = readName(bytes, at);
      if (owner === null || owner.end + 10 > bytes.length) return null;
      const [type, ofClass] = [bytes.readUInt16BE(owner.end), bytes.readUInt16BE(owner.end + 2)];
      const data = owner.end + 10;
      const end = data + bytes.readUInt16BE(owner.end + 8);
      if (end > bytes.length) return null;
      records.push({ section, from: at, owner: owner.name, type, class: ofClass, start: data, end });
      at = end;
    }
  }
  return at === bytes.length ? records : null;
}

function serialIn(bytes: Buffer, records: readonly RecordAt[]): number | null {
  const soa = records.find(({ section, type }) => section === 'authority' && type === DNS.SOA);
  const primary = soa && readName(bytes, soa.start);
  const contact = primary && readName(bytes, primary.end);
  if (!soa || !contact || contact.end + 20 !== soa.end) return null;
  return bytes.readUInt32BE(contact.end);
}

function readTsig(
  bytes: Buffer,
  { section, from, owner, class: ofClass, start, end }: RecordAt,
): TsigRecord | 'malformed' {
  const algorithm = readName(bytes, start);
  if (section !== 'additional' || ofClass !== DNS.ANY || algorithm === null) return 'malformed';
  const times = algorithm.end;
  if (times + 10 > end) return 'malformed';
  const macEnd = times + 10 + bytes.readUInt16BE(times + 8);
  if (macEnd + 6 > end || macEnd + 6 + bytes.readUInt16BE(macEnd + 4) !== end) return 'malformed';
  return {
    start: from,
    keyName: owner,
    algorithm: algorithm.name,
    timeSigned: bytes.readUIntBE(times, 6),
    fudge: bytes.readUInt16BE(times + 6),
    mac: Buffer.from(bytes.subarray(times + 10, macEnd)),
    originalId: bytes.readUInt16BE(macEnd),
    error: bytes.readUInt16BE(macEnd + 2),
    other: Buffer.from(bytes.subarray(macEnd + 6, end)),
  };
}
