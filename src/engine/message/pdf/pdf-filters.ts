import { inPieces } from '#src/core/base/text/in-pieces.ts';
import { asArray, asDictionary, asNumber, asText, type PdfDictionary, type PdfValue } from './pdf-syntax.ts';
import { undoPrediction } from './undo-prediction.ts';

/** Content of a stream, and the filter before which it ends, because it is that of a picture; null if it is decoded. */
export interface Unfiltered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly left: string | null;
}

/** Maximum number of filters of one stream. */
const MAX_FILTERS = 4;

/** Short names of inline pictures (ISO 32000-1 §8.9.7). */
const SHORT: Readonly<Record<string, string>> = {
  Fl: 'FlateDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
  DCT: 'DCTDecode',
  CCF: 'CCITTFaxDecode',
};

/** Decodes a stream up to so many bytes (ISO 32000-1 §7.4). What was decoded before an error counts, as readers show it. */
export async function unfiltered(
  packed: Uint8Array<ArrayBuffer>,
  dictionary: PdfDictionary,
  resolve: (value: PdfValue | undefined) => PdfValue | undefined,
  maxBytes: number,
): Promise<Unfiltered> {
  const filters = asArray(resolve(dictionary.get('Filter') ?? dictionary.get('F'))).map((one) => asText(resolve(one)));
  const parameters = asArray(resolve(dictionary.get('DecodeParms') ?? dictionary.get('DP')));
  let bytes = packed;
  for (const [at, written] of filters.entries()) {
    const filter = SHORT[written] ?? written;
    const decode = DECODERS[filter];
    if (decode === undefined || at >= MAX_FILTERS) return { bytes, left: filter };
    const own = asDictionary(resolve(parameters[at]));
    const parameter = (key: string, otherwise: number) => asNumber(resolve(own.get(key)), otherwise);
    bytes = await decode(bytes, maxBytes, parameter('EarlyChange', 1));
    const predictor = parameter('Predictor', 1);
    if (predictor > 1) {
      const shape = {
        columns: parameter('Columns', 1),
        colours: parameter('Colors', 1),
        bits: parameter('BitsPerComponent', 8),
      };
      bytes = undoPrediction(bytes, predictor, shape);
    }
  }
  return { bytes: bytes.subarray(0, maxBytes), left: null };
}

type Decoder = (
  packed: Uint8Array<ArrayBuffer>,
  maxBytes: number,
  earlyChange: number,
) => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  FlateDecode: inflated,
  ASCII85Decode: fromAscii85,
  ASCIIHexDecode: fromHexadecimal,
  LZWDecode: fromLzw,
  RunLengthDecode: fromRunLengths,
};

/** Bytes that go into a decompressor at once: what comes out of a piece with an error is lost. */
const PIECE = 1024;

async function inflated(packed: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = inPieces(packed, PIECE).pipeThrough(new DecompressionStream('deflate')).getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done && length < maxBytes; chunk = await reader.read()) {
      chunks.push(chunk.value.slice(0, maxBytes - length));
      length += chunk.value.length;
    }
    await reader.cancel();
  } catch {
    // The stream is damaged, or bytes follow it.
  }
  return await new Blob(chunks).bytes();
}

function fromHexadecimal(packed: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.min(maxBytes, Math.ceil(packed.length / 2)));
  let length = 0;
  for (const code of packed) {
    if (code === 0x3e || length >= 2 * bytes.length) break;
    const digit = Number.parseInt(String.fromCharCode(code), 16);
    if (Number.isNaN(digit)) continue;
    bytes[length >> 1] = (bytes[length >> 1] ?? 0) + (length % 2 === 0 ? 16 * digit : digit);
    length++;
  }
  return bytes.slice(0, Math.ceil(length / 2));
}

function fromAscii85(packed: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  // A `z` alone is four bytes.
  const bytes = new Uint8Array(Math.min(maxBytes, 4 * packed.length));
  let length = 0;
  let group: number[] = [];
  const write = () => {
    const count = group.length - 1;
    const value = Array.from({ length: 5 }, (_, at) => group[at] ?? 84).reduce((sum, one) => sum * 85 + one, 0);
    for (let at = 0; at < count; at++) bytes[length++] = Math.floor(value / 256 ** (3 - at)) % 256;
    group = [];
  };
  for (const code of packed) {
    if (code === 0x7e || length >= bytes.length) break;
    if (code === 0x7a && group.length === 0) length += 4;
    if (code < 0x21 || code > 0x75) continue;
    group.push(code - 0x21);
    if (group.length === 5) write();
  }
  if (group.length > 1) write();
  return bytes.slice(0, length);
}

function fromRunLengths(packed: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.min(maxBytes, 64 * packed.length));
  let length = 0;
  for (let at = 0; at < packed.length && length < bytes.length; ) {
    const count = packed[at++] ?? 128;
    if (count === 128) break;
    if (count < 128) bytes.set(packed.subarray(at, at + count + 1).subarray(0, bytes.length - length), length);
    else bytes.fill(packed[at] ?? 0, length, length + 257 - count);
    length += count < 128 ? count + 1 : 257 - count;
    at += count < 128 ? count + 1 : 1;
  }
  return bytes.slice(0, length);
}

/** Codes of LZW (§7.4.4): the first ones are bytes, then one clears the table, and one ends the data. */
const [CLEAR, END, MAX_CODES] = [256, 257, 4096] as const;

function fromLzw(packed: Uint8Array, maxBytes: number, earlyChange: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  // Each entry is a stretch of what was written: its start and its length.
  const starts = new Uint32Array(MAX_CODES);
  const lengths = new Uint32Array(MAX_CODES);
  let [count, width, bits, held] = [258, 9, 0, 0];
  let before: { readonly start: number; readonly length: number } | null = null;
  for (const byte of packed) {
    held = (held << 8) | byte;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >>> bits) & ((1 << width) - 1);
    held &= (1 << bits) - 1;
    if (code === END || length >= maxBytes) break;
    if (code === CLEAR) {
      [count, width, before] = [258, 9, null];
      continue;
    }
    const start = length;
    if (code < CLEAR) bytes[length++] = code;
    else if (code < count) length = copy(starts[code] ?? 0, lengths[code] ?? 0);
    else if (before === null) break;
    else length = copy(before.start, before.length + 1);
    if (before !== null && count < MAX_CODES) {
      starts[count] = before.start;
      lengths[count++] = before.length + 1;
    }
    before = { start, length: length - start };
    if (count + earlyChange >= 1 << width && width < 12) width++;
  }
  return bytes.slice(0, length);

  /** Copies byte by byte, since a stretch may reach into its copy. */
  function copy(from: number, size: number): number {
    const end = Math.min(maxBytes, length + size);
    for (let at = length; at < end; at++) bytes[at] = bytes[from + at - length] ?? 0;
    return end;
  }
}
