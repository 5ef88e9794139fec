import { formatIp } from '#src/core/base/addresses/ip.ts';
import { MAX_CAPTURED_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import type { DnsData, DnsType } from './answer.ts';
import { readName } from './name.ts';

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
interface DataAt {
  readonly message: Uint8Array;
  readonly start: number;
  readonly end: number;
}

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

export function number32(message: Uint8Array, at: number): number {
  return number16(message, at) * 0x10000 + number16(message, at + 2);
}

function soleName({ message, start, end }: DataAt): string | null {
  const read = readName(message, start);
  return read && read.end === end ? read.name : null;
}

function ipv6(octets: Uint8Array): string {
  return formatIp({ family: 6, value: octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n) });
}
