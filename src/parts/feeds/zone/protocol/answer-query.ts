import { DNS, type DnsMessage, HEADER_BYTES, RCODE, readDnsMessage } from './message.ts';
import type { TsigKey } from './settings.ts';
import { checkTsig, signMessage, TSIG_ERROR, type TsigCheck, timeBytes, withTsig } from './tsig.ts';
import { writeRecords, type Zone } from './zone-content.ts';

/** Outcome of a query. */
export type ZoneOutcome =
  | 'serial'
  | 'transfer'
  | 'unchanged'
  | 'limited'
  | 'unavailable'
  | 'refused'
  | 'unsigned'
  | 'bad_key'
  | 'bad_signature'
  | 'bad_time'
  | 'malformed';

/** An answer, of several messages if it is a transfer. */
interface ZoneAnswer {
  readonly outcome: ZoneOutcome;
  /** Time of a valid signature, in seconds since the Unix epoch; absent without one. */
  readonly signedSeconds?: number;
  /** Each message is made when it is asked for. */
  readonly messages: Iterable<Buffer>;
}

/** Context of an answer. */
export interface QueryContext {
  readonly zoneName: string;
  /** Null if there is no version of it. */
  readonly zone: Zone | null;
  /** If there are keys, every query must be signed. */
  readonly keys: readonly TsigKey[];
  readonly nowSeconds: () => number;
  readonly transport: 'udp' | 'tcp';
  /** False if the client has to wait before it transfers the zone again. */
  readonly mayTransfer: () => boolean;
}

/** Maximum length of a query, in bytes: names, a serial and a signature. */
export const MAX_QUERY_BYTES = 2048;

/** Length of the messages of a transfer without their signature, in bytes. */
const TRANSFER_BYTES = 60_000;

/** UDP payload that is taken, in bytes (RFC 6891 §6.2.5). */
const UDP_PAYLOAD_BYTES = 1232;

/**
 * Answers a query as the primary of one zone: its serial (SOA), and all of it (AXFR, RFC 5936), also to IXFR, as RFC 1995 §4
 * allows. Everything else is refused. Returns null for what must not be answered: a response, and bytes without a header.
 */
export function answerQuery(bytes: Buffer, context: QueryContext): ZoneAnswer | null {
  const isQuery = bytes.length >= HEADER_BYTES && ((bytes[2] ?? 0) & 0x80) === 0;
  if (!isQuery) return null;
  const query = bytes.length > MAX_QUERY_BYTES ? null : readDnsMessage(bytes);
  if (query === null) return { outcome: 'malformed', messages: [formatError(bytes)] };
  const { keys, nowSeconds } = context;
  const tsig = query.tsig && checkTsig(bytes, query.tsig, keys, nowSeconds());
  if (tsig && tsig.error !== TSIG_ERROR.NONE) return refuseSignature(query, tsig, nowSeconds());
  const answering = { query, key: tsig?.key ?? null, nowSeconds };
  if (query.tsig === null && keys.length > 0)
    return { outcome: 'unsigned', messages: [fail(answering, RCODE.REFUSED)] };
  return { ...answerTrusted(answering, context), ...(tsig && signedAt(query)) };
}

const signedAt = ({ tsig }: DnsMessage) => (tsig === null ? null : { signedSeconds: tsig.timeSigned });

/** A query, and the key by which its answer is signed; null without a signature. */
interface Answering {
  readonly query: DnsMessage;
  readonly key: TsigKey | null;
  readonly nowSeconds: () => number;
}

function answerTrusted(answering: Answering, { zoneName, zone, transport, mayTransfer }: QueryContext): ZoneAnswer {
  const { query } = answering;
  if (query.edns !== null && query.edns > 0) return { outcome: 'refused', messages: [fail(answering, RCODE.BADVERS)] };
  const isKnown =
    query.opcode === DNS.QUERY &&
    query.class === DNS.IN &&
    query.name === zoneName &&
    (query.type === DNS.SOA || query.type === DNS.IXFR || (query.type === DNS.AXFR && transport === 'tcp'));
  if (!isKnown) return { outcome: 'refused', messages: [fail(answering, RCODE.REFUSED)] };
  if (zone === null) return { outcome: 'unavailable', messages: [fail(answering, RCODE.SERVFAIL)] };
  const serialAlone = () => [sealed(answering, authoritative(query, [zone.soa]))];
  if (query.type === DNS.SOA) return { outcome: 'serial', messages: serialAlone() };
  // The serial makes clients over UDP ask over TCP, and shows up-to-date clients that nothing changed.
  if (query.type === DNS.IXFR && query.serial !== null && !isNewer(zone.serial, query.serial))
    return { outcome: 'unchanged', messages: serialAlone() };
  if (transport === 'udp') return { outcome: 'serial', messages: serialAlone() };
  if (!mayTransfer()) return { outcome: 'limited', messages: [fail(answering, RCODE.REFUSED)] };
  return { outcome: 'transfer', messages: transferMessages(answering, zone) };
}

/** Serial number arithmetic (RFC 1982 §3.2). */
function isNewer(serial: number, than: number): boolean {
  return serial !== than && (serial - than) >>> 0 < 2 ** 31;
}

function* transferMessages(answering: Answering, zone: Zone): Generator<Buffer> {
  const { query } = answering;
  const head = headOf(query, RCODE.NOERROR, true);
  const seal = sealer(answering);
  let next = zone.recordsAt;
  for (let isFirst = true, isLast = false; !isLast; isFirst = false) {
    const message = Buffer.allocUnsafe(TRANSFER_BYTES);
    let to = head.copy(message);
    if (isFirst) to += zone.soa.copy(message, to);
    const written = writeRecords(zone, next, message, to, TRANSFER_BYTES - zone.soa.length);
    next = written.next;
    isLast = next === zone.text.length;
    to = written.to + (isLast ? zone.soa.copy(message, written.to) : 0);
    message.writeUInt16BE(written.count + Number(isFirst) + Number(isLast), 6);
    yield seal(isFirst ? withEdns(query, message.subarray(0, to)) : message.subarray(0, to));
  }
}

/** Returns a function that signs the messages of one answer, in their order. */
function sealer({ query, key, nowSeconds }: Answering): (message: Buffer) => Buffer {
  let prior = query.tsig?.mac ?? null;
  let isFollowing = false;
  return (message) => {
    if (key === null || prior === null) return message;
    const { bytes, mac } = signMessage(message, { key, prior, timeSigned: nowSeconds(), isFollowing });
    prior = mac;
    isFollowing = true;
    return bytes;
  };
}

const sealed = (answering: Answering, message: Buffer) => sealer(answering)(message);

const fail = (answering: Answering, rcode: number) => sealed(answering, failure(answering.query, rcode));

/** Answers a signature that is wrong (RFC 8945 §5.2). Only what a valid key signed too late is answered with a signature. */
function refuseSignature(query: DnsMessage, { key, error }: TsigCheck, nowSeconds: number): ZoneAnswer {
  const message = failure(query, RCODE.NOTAUTH);
  const { tsig } = query;
  if (key !== null && tsig !== null && (error === TSIG_ERROR.BADTIME || error === TSIG_ERROR.BADTRUNC)) {
    const isLate = error === TSIG_ERROR.BADTIME;
    // With the time of the client, so that it can verify the answer, and learns by how much its clock differs.
    const timeSigned = isLate ? tsig.timeSigned : nowSeconds;
    const signing = { key, prior: tsig.mac, timeSigned, error, other: timeBytes(nowSeconds).subarray(isLate ? 0 : 6) };
    const outcome = isLate ? 'bad_time' : 'bad_signature';
    return { outcome, ...(isLate && signedAt(query)), messages: [signMessage(message, signing).bytes] };
  }
  const none = Buffer.alloc(0);
  // Names that no key has are not repeated.
  const isPlain = tsig !== null && /^[\w.-]+$/.test(tsig.keyName) && /^[\w.-]+$/.test(tsig.algorithm);
  const unsigned = isPlain ? withTsig(message, { ...tsig, error, mac: none, other: none }) : message;
  return { outcome: key === null ? 'bad_key' : 'bad_signature', messages: [unsigned] };
}

const failure = (query: DnsMessage, rcode: number) => withEdns(query, headOf(query, rcode, false), rcode >> 4);

function authoritative(query: DnsMessage, records: readonly Buffer[]): Buffer {
  const message = Buffer.concat([headOf(query, RCODE.NOERROR, true), ...records]);
  message.writeUInt16BE(records.length, 6);
  return withEdns(query, message);
}

/** Header and question of an answer. */
function headOf(query: DnsMessage, rcode: number, isAuthoritative: boolean): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  const flags =
    0x8000 | (query.opcode << 11) | (isAuthoritative ? 0x0400 : 0) | (query.isRecursionDesired ? 0x0100 : 0);
  head.writeUInt16BE(query.id, 0);
  head.writeUInt16BE(flags | (rcode & 0xf), 2);
  head.writeUInt16BE(1, 4);
  return Buffer.concat([head, query.question]);
}

/** Adds EDNS to an answer if the query has it (RFC 6891 §6.1.1). */
function withEdns({ edns }: DnsMessage, message: Buffer, highRcode = 0): Buffer {
  if (edns === null) return message;
  const opt = Buffer.from([0, 0, DNS.OPT, 0, 0, highRcode, 0, 0, 0, 0, 0]);
  opt.writeUInt16BE(UDP_PAYLOAD_BYTES, 3);
  const bytes = Buffer.concat([message, opt]);
  bytes.writeUInt16BE(bytes.readUInt16BE(10) + 1, 10);
  return bytes;
}

/** Answers a query that cannot be read: nothing of it is repeated but its number and operation. */
function formatError(bytes: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  bytes.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8000 | (bytes.readUInt16BE(2) & 0x7800) | RCODE.FORMERR, 2);
  return head;
}
