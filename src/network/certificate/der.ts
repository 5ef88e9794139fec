/** An element of DER (ITU-T X.690): its tag, its content, and the encoding of both. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** The input is not the DER that was looked for. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/** Tags in certificates; `context(n)` is a constructed `[n]` of ASN.1. */
export const DER = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  context: (n: number) => 0xa0 | n,
} as const;

/** More elements than this in one sequence is no certificate that a person made. */
const MAX_ELEMENTS = 20_000;

/** Reads consecutive elements. Throws {@link DerError} unless they fill `bytes`. */
export function readDerElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at);
    elements.push(element);
    if (elements.length > MAX_ELEMENTS) throw new DerError('too many elements');
    at += element.whole.length;
  }
  return elements;
}

/** Reads the one element that `bytes` consists of, of the given tag, and gives what it holds. */
export function readDerSequence(bytes: Uint8Array, tag: number = DER.sequence): DerElement[] {
  const [only, ...rest] = readDerElements(bytes);
  if (rest.length > 0) throw new DerError('more than one element');
  return readDerElements(expectDer(only, tag).content);
}

/** The element, if there is one and it has the tag. */
export function expectDer(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag !== tag) throw new DerError(`found tag ${element?.tag ?? 'none'}, expected ${tag}`);
  return element;
}

function readElement(bytes: Uint8Array, at: number): DerElement {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new DerError('no element');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || lengthBytes > 3) throw new DerError('an indefinite or too large length');
  const length = lengthBytes === 0 ? first : readUnsigned(bytes.subarray(at + 2, at + 2 + lengthBytes));
  const start = at + 2 + lengthBytes;
  const end = start + length;
  if (bytes.length < end) throw new DerError('cut short');
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
}

function readUnsigned(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** An object identifier in dotted decimal. */
export function readDerOid(element: DerElement | undefined): string {
  const arcs: number[] = [];
  let value = 0;
  for (const byte of expectDer(element, DER.oid).content) {
    value = value * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    if (arcs.length === 0) arcs.push(Math.min(Math.floor(value / 40), 2));
    arcs.push(arcs.length === 1 ? value - 40 * (arcs[0] ?? 0) : value);
    value = 0;
  }
  return arcs.join('.');
}

/**
 * A UTCTime or GeneralizedTime in the form that RFC 5280 §4.1.2.5 prescribes, in milliseconds since the Unix epoch.
 * Two-digit years from 50 on are in the twentieth century.
 */
export function readDerTime(element: DerElement | undefined): number {
  const text = new TextDecoder('latin1').decode(element?.content);
  const isShort = element?.tag === DER.utcTime;
  if (!isShort && element?.tag !== DER.generalizedTime) throw new DerError('not a time');
  const whole = isShort ? `${text < '50' ? '20' : '19'}${text}` : text;
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(whole) ?? [];
  const [year, month, day, hours, minutes, seconds] = parts;
  const iso = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000Z`;
  const date = new Date(iso);
  // A thirtieth of February would quietly become a day of March.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso) throw new DerError('not a valid time');
  return date.getTime();
}
