import { cutShort, MAX_CARRIED_LENGTH } from '#src/core/base/text/truncate-text.ts';
import { formatIp } from '#src/core/base/addresses/ip.ts';
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

/** A stretch of a message: the data of one record. Names inside may point to anywhere before them. */
interface DataAt {
  readonly message: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads the data of a record; null where it does not have the form of its type. */
export const READ_DATA: { readonly [T in DnsType]: (at: DataAt) => DnsData[T] | null } = {
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
    return strings.length === 0 ? null : cutShort(UTF8.decode(Buffer.concat(strings)), MAX_CARRIED_LENGTH);
  },
  CAA({ message, start, end }) {
    const tagEnd = start + 2 + (message[start + 1] ?? 0);
    if (end - start < 2 || tagEnd > end || tagEnd === start + 2) return null;
    return {
      flags: message[start] ?? 0,
      tag: UTF8.decode(message.subarray(start + 2, tagEnd)).toLowerCase(),
      value: cutShort(UTF8.decode(message.subarray(tagEnd, end)), MAX_CARRIED_LENGTH),
    };
  },
};

/** How long a negative answer may be kept, by its SOA record (RFC 2308 §5): the record's last number. */
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
