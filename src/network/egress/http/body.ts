import type { Gunzip, InflateRaw, ZstdDecompress } from 'node:zlib';
import { zlib } from '#src/core/base/lazily.ts';
import { createByteSink } from '../budget/byte-sink.ts';

/** A body after content decoding. */
export interface DecodedBody {
  readonly bytes: Uint8Array;
  /** True if the body exceeded the limit, or the encoded data is incomplete. */
  readonly truncated: boolean;
  /** False if nothing could be decoded; `bytes` is then empty. */
  readonly decoded: boolean;
}

type Decoder = Gunzip | InflateRaw | ZstdDecompress;

/** Content codings of browsers. */
const DECODERS: Readonly<Record<string, (coded: Uint8Array) => Decoder>> = {
  gzip: () => zlib().createGunzip(lenient()),
  'x-gzip': () => zlib().createGunzip(lenient()),
  deflate: (coded) => (hasZlibHeader(coded) ? zlib().createInflate(lenient()) : zlib().createInflateRaw(lenient())),
  br: () => zlib().createBrotliDecompress({ finishFlush: zlib().constants.BROTLI_OPERATION_FLUSH }),
  // RFC 9659 §3: a decoder of the web need not support windows of more than 8 MiB.
  zstd: () =>
    zlib().createZstdDecompress({
      finishFlush: zlib().constants.ZSTD_e_flush,
      params: { [zlib().constants.ZSTD_d_windowLogMax]: 23 },
    }),
};

const lenient = () => ({ finishFlush: zlib().constants.Z_SYNC_FLUSH });

/** The value of `Accept-Encoding` that goes with {@link decodeBody}. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** Maximum number of nested codings; each stage is bounded, and real responses have one. */
const MAX_CODINGS = 8;

/** Number of encoded bytes per decoder write. On an error, a decoder loses the output of that write. */
const PIECE_BYTES = 2 * 1024;

/**
 * Decodes a `Content-Encoding` up to `maxBytes`. As lenient as browsers: returns the output before a bad checksum,
 * trailing bytes or an unexpected end.
 */
export async function decodeBody(coded: Uint8Array, encoding: string, maxBytes: number): Promise<DecodedBody> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  // A browser that does not know one of the codings shows the raw bytes.
  const isKnown = codings.every((coding) => Object.hasOwn(DECODERS, coding));
  let body: DecodedBody = { bytes: coded, truncated: false, decoded: true };
  if (isKnown && codings.length > MAX_CODINGS) return { bytes: new Uint8Array(), truncated: false, decoded: false };
  for (const coding of isKnown ? codings.toReversed() : []) {
    // Servers also name a coding for an empty body.
    if (body.bytes.length === 0) break;
    const decoded = await undo(coding, body.bytes, maxBytes);
    body = { ...decoded, truncated: body.truncated || decoded.truncated };
  }
  if (body.bytes.length <= maxBytes) return body;
  return { ...body, bytes: body.bytes.subarray(0, maxBytes), truncated: true };
}

async function undo(coding: string, coded: Uint8Array, maxBytes: number): Promise<DecodedBody> {
  const createDecoder = DECODERS[coding];
  if (!createDecoder) throw new TypeError(`no decoder for ${coding}`);
  const whole = await decodeWith(createDecoder(coded), coded, maxBytes);
  const rawAt = whole.end === 'broken' ? startOfDeflate(coded, coding) : null;
  if (rawAt === null) return whole;
  // If only the checksum is wrong, raw inflation ignores it.
  const raw = await decodeWith(zlib().createInflateRaw(lenient()), coded.subarray(rawAt), maxBytes);
  return raw.bytes.length > whole.bytes.length ? raw : whole;
}

type Decoding = DecodedBody & { readonly end: 'whole' | 'broken' | 'full' };

async function decodeWith(decoder: Decoder, coded: Uint8Array, maxBytes: number): Promise<Decoding> {
  const sink = createByteSink(maxBytes);
  const end = await new Promise<Decoding['end']>((resolve, reject) => {
    decoder.on('data', (piece: Uint8Array) => {
      if (!sink.push(piece)) resolve('full');
    });
    decoder.on('end', () => resolve('whole'));
    decoder.on('error', () => resolve('broken'));
    decoder.on('close', () => resolve('broken'));
    feed(decoder, coded).catch(reject);
  });
  decoder.destroy();
  const bytes = sink.bytes();
  return { bytes, truncated: end !== 'whole', decoded: end !== 'broken' || bytes.length > 0, end };
}

async function feed(decoder: Decoder, coded: Uint8Array): Promise<void> {
  for (let at = 0; at < coded.length && !decoder.destroyed; at += PIECE_BYTES) {
    if (decoder.write(coded.subarray(at, at + PIECE_BYTES)) || decoder.destroyed) continue;
    await new Promise<void>((resolve) => {
      decoder.once('drain', resolve);
      decoder.once('close', resolve);
    });
  }
  if (!decoder.destroyed) decoder.end();
}

/** Returns the offset of the deflate data (RFC 1951) in its container; null if there is none. */
function startOfDeflate(coded: Uint8Array, coding: string): number | null {
  if (coding === 'deflate') return hasZlibHeader(coded) ? 2 : null;
  const [magic, magic2, method, flags = 0] = coded;
  if (!coding.endsWith('gzip') || magic !== 0x1f || magic2 !== 0x8b || method !== 8) return null;
  // RFC 1952 §2.3: a header of ten bytes, then an extra field, a file name, a comment and a checksum, by flags.
  let at = 10;
  if (flags & 4) at += 2 + ((coded[at] ?? 0) | ((coded[at + 1] ?? 0) << 8));
  for (const textFlag of [8, 16]) {
    if (flags & textFlag) at = coded.indexOf(0, at) + 1 || coded.length;
  }
  return flags & 2 ? at + 2 : at;
}

/** RFC 1950 §2.2: method 8, and a check that makes the two bytes a multiple of 31. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
