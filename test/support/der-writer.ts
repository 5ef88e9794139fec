/** Writes one DER element; the counterpart of the product's reader, written apart from it so that each checks the other. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const derSequence = (...parts: readonly Uint8Array[]): Uint8Array => der(0x30, ...parts);
export const derSet = (...parts: readonly Uint8Array[]): Uint8Array => der(0x31, ...parts);
export const derOctets = (...parts: readonly Uint8Array[]): Uint8Array => der(0x04, ...parts);
export const derBits = (bytes: Uint8Array): Uint8Array => der(0x03, Buffer.from([0]), bytes);
export const derBoolean = (isTrue: boolean): Uint8Array => der(0x01, Buffer.from([isTrue ? 0xff : 0]));
export const derUtf8 = (text: string): Uint8Array => der(0x0c, Buffer.from(text, 'utf8'));
/** `[n]` around further elements. */
export const derContext = (n: number, ...parts: readonly Uint8Array[]): Uint8Array => der(0xa0 | n, ...parts);
/** `[n]` in place of a primitive type's own tag. */
export const derImplicit = (n: number, bytes: Uint8Array): Uint8Array => der(0x80 | n, bytes);

/** A positive integer from its big-endian bytes. */
export function derInteger(bytes: Uint8Array): Uint8Array {
  return der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.from([0]) : new Uint8Array(), bytes);
}

export function derOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift(0x80 | (left % 128));
    return groups;
  });
  return der(0x06, Buffer.from(bytes));
}

/** A time as RFC 5280 §4.1.2.5 wants it: two-digit years through 2049, four digits from then on. */
export function derTime(ms: number): Uint8Array {
  const digits = new Date(ms)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  const year = new Date(ms).getUTCFullYear();
  return year >= 1950 && year < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}
