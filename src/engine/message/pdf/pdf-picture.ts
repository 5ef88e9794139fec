import { bitmapPicture, type GrayPixels, type MessagePicture } from '../pictures.ts';
import type { PdfDocument, PdfObject } from './pdf-document.ts';
import { asArray, asDictionary, asNumber, asText, type PdfSyntax, type PdfValue } from './pdf-syntax.ts';

/** Short names of the entries (ISO 32000-1 §8.9.7). */
const ENTRIES: Readonly<Record<string, string>> = {
  W: 'Width',
  H: 'Height',
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  F: 'Filter',
  DP: 'DecodeParms',
  IM: 'ImageMask',
  D: 'Decode',
};

/** Reads a picture that is written within a content, from behind its `BI` to behind its `EI`. */
export function inlinePicture(syntax: PdfSyntax, bytes: Uint8Array): PdfObject {
  const entries = new Map<string, PdfValue>();
  for (let key = syntax.next(); key !== undefined && asText(key) !== 'ID'; key = syntax.next()) {
    const name = asText(key);
    entries.set(ENTRIES[name] ?? name, syntax.next() ?? null);
  }
  const start = syntax.at + 1;
  let end = start;
  while (end < bytes.length && !isEnd(bytes, end)) end++;
  syntax.at = Math.min(bytes.length, end + 3);
  return { value: entries, packed: bytes.slice(start, end) };
}

/** Returns true for white space, `EI` and white space. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  const after = bytes[at + 3] ?? 0x20;
  return (bytes[at] ?? 0) <= 0x20 && bytes[at + 1] === 0x45 && bytes[at + 2] === 0x49 && after <= 0x20;
}

/** Least side of a code with one pixel per module, and the largest number of bytes of a picture. */
const LEAST_SIDE = 21;
const MAX_BYTES = 16 * 1024 * 1024;

/** Longer sides are reduced: more pixels are not needed to read a code. */
const MAX_SIDE = 1400;

/** Colour spaces of few values per pixel (ISO 32000-1 §8.6), also by their short names. */
const COLOURS: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  G: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  RGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
  CMYK: 4,
  Separation: 1,
};

/**
 * Returns a picture of a document as a file; `'blank'` if it can hold no code, since it is small or of one colour; `'unread'` if its
 * format is not known here.
 */
export async function pdfPicture(
  object: PdfObject,
  name: string,
  document: PdfDocument,
): Promise<MessagePicture | 'blank' | 'unread'> {
  const { resolve } = document;
  const dictionary = asDictionary(object.value);
  const numberOf = (key: string, otherwise: number) => asNumber(resolve(dictionary.get(key)), otherwise);
  const [width, height] = [Math.floor(numberOf('Width', 0)), Math.floor(numberOf('Height', 0))];
  if (!(width >= LEAST_SIDE && height >= LEAST_SIDE)) return 'blank';
  const { bytes, left } = await document.decoded(object, MAX_BYTES);
  if (left === 'DCTDecode') return { name, contentType: 'image/jpeg', bytes: bytes.slice() };
  if (left === 'JPXDecode') return { name, contentType: 'image/jp2', bytes: bytes.slice() };
  if (left !== null) return 'unread';
  const isMask = resolve(dictionary.get('ImageMask')) === true;
  const bits = isMask ? 1 : numberOf('BitsPerComponent', 8);
  const space = isMask ? MASK : spaceOf(resolve(dictionary.get('ColorSpace')), document);
  const known = space && { ...space, palette: await space.palette };
  if (known === null || ![1, 2, 4, 8, 16].includes(bits)) return 'unread';
  const stride = Math.ceil((width * known.colours * bits) / 8);
  if (stride * height > bytes.length + stride) return 'unread';
  const isInverse = asNumber(resolve(asArray(resolve(dictionary.get('Decode')))[0])) > 0;
  const samples = { bytes, width, height, stride, bits, colours: known.colours, palette: known.palette, isInverse };
  const grey = grayOf(samples);
  return isBlank(grey) ? 'blank' : bitmapPicture(name, grey);
}

/** Difference between the darkest and the brightest pixel below which there is no code. */
const LEAST_CONTRAST = 20;

function isBlank({ pixels }: GrayPixels): boolean {
  let [darkest, brightest] = [255, 0];
  for (const pixel of pixels) {
    if (pixel < darkest) darkest = pixel;
    if (pixel > brightest) brightest = pixel;
  }
  return brightest - darkest < LEAST_CONTRAST;
}

interface Space {
  readonly colours: number;
  /** Brightness of each value; null if values are colours themselves. */
  readonly palette: Promise<readonly number[]> | null;
}

const MASK: Space = { colours: 1, palette: null };

/** Returns a colour space; null for one that is not known here. */
function spaceOf(value: PdfValue | undefined, document: PdfDocument): Space | null {
  const { resolve, objectAt, decoded } = document;
  const [kind, second, , table] = asArray(value);
  const name = asText(resolve(kind));
  if (name === 'ICCBased')
    return { colours: asNumber(resolve(asDictionary(resolve(second)).get('N')), 3), palette: null };
  if (name === 'Indexed' || name === 'I') {
    const base = spaceOf(resolve(second), document);
    if (base === null || base.palette !== null) return null;
    const stream = objectAt(table);
    const text = asText(resolve(table));
    const bytes = stream?.packed
      ? decoded(stream).then((content) => content.bytes)
      : Promise.resolve(Uint8Array.from(text, (one) => one.charCodeAt(0)));
    return { colours: 1, palette: bytes.then((colours) => brightnessOfAll(colours, base.colours)) };
  }
  const colours = COLOURS[name];
  return colours === undefined ? null : { colours, palette: null };
}

function brightnessOfAll(bytes: Uint8Array, colours: number): number[] {
  return Array.from({ length: Math.floor(bytes.length / colours) }, (_, at) =>
    brightness(bytes.subarray(at * colours, (at + 1) * colours)),
  );
}

/** Returns how bright a pixel is whose values are 0 to 255. */
function brightness(values: ArrayLike<number>): number {
  const [first = 0, second = 0, third = 0, black = 0] = [values[0], values[1], values[2], values[3]];
  if (values.length < 3) return first;
  const mixed = 0.3 * first + 0.59 * second + 0.11 * third;
  return values.length === 3 ? mixed : Math.max(0, 255 - mixed - black);
}

interface Samples {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly bits: number;
  readonly colours: number;
  readonly palette: readonly number[] | null;
  readonly isInverse: boolean;
}

/** Returns the grey pixels of a picture, reduced to the longest side. */
function grayOf({ bytes, width, height, stride, bits, colours, palette, isInverse }: Samples): GrayPixels {
  const step = Math.max(1, Math.max(width, height) / MAX_SIDE);
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)];
  const pixels = new Uint8Array(columns * rows);
  const values = new Uint8Array(colours);
  const most = 2 ** Math.min(bits, 8) - 1;
  for (let row = 0; row < rows; row++) {
    const start = Math.floor(row * step) * stride;
    for (let column = 0; column < columns; column++) {
      const first = Math.floor(column * step) * colours;
      for (let colour = 0; colour < colours; colour++)
        values[colour] = palette ? sample(first) : (sample(first + colour) * 255) / most;
      const grey = palette ? (palette[values[0] ?? 0] ?? 0) : brightness(values);
      pixels[row * columns + column] = isInverse ? 255 - grey : grey;
    }

    /** The value of one colour of this row; of 16 bits, the upper ones. */
    function sample(index: number): number {
      if (bits >= 8) return bytes[start + (index * bits) / 8] ?? 0;
      const bit = index * bits;
      return ((bytes[start + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & most;
    }
  }
  return { width: columns, height: rows, pixels };
}
