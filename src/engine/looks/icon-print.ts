import { createHash } from 'node:crypto';
import type { IconPrint } from '#src/network/probes/page-visit.ts';
import { brightness, decodePixels, type Pixels } from './decode-pixels.ts';

const DIRECTORY = 6;
const ENTRY = 16;
const MAX_ENTRIES = 64;
const MAX_SIDE = 256;
/** Length of the header of a BMP file, before that of its bitmap. */
const FILE_HEADER = 14;
const PNG = 0x89504e47;

/**
 * Returns the largest picture of an ICO file as a file of its own, PNG or BMP; null for other files, and if its pictures have a
 * form of earlier than Windows 3.
 */
export function icoPicture(file: Uint8Array): Uint8Array | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < DIRECTORY + ENTRY || view.getUint32(0, true) !== 0x10000) return null;
  const count = Math.min(view.getUint16(4, true), MAX_ENTRIES, Math.floor((file.length - DIRECTORY) / ENTRY));
  const entries = Array.from({ length: count }, (_, index) => {
    const at = DIRECTORY + index * ENTRY;
    const [start, length] = [view.getUint32(at + 12, true), view.getUint32(at + 8, true)];
    // Zero stands for 256.
    return { side: view.getUint8(at) || MAX_SIDE, depth: view.getUint16(at + 6, true), start, length };
  });
  const [largest] = entries.toSorted((a, b) => b.side - a.side || b.depth - a.depth);
  if (largest === undefined) return null;
  const picture = file.subarray(largest.start, largest.start + largest.length);
  if (picture.length < 40) return null;
  const head = new DataView(picture.buffer, picture.byteOffset, picture.byteLength);
  return head.getUint32(0) === PNG ? picture : bitmapFile(picture, head);
}

/** The height of a bitmap in an icon counts its mask as well, which a file has not. */
function bitmapFile(bitmap: Uint8Array, head: DataView): Uint8Array | null {
  const headerBytes = head.getUint32(0, true);
  const [bits, colours] = [head.getUint16(14, true), head.getUint32(32, true)];
  const height = head.getInt32(8, true) >> 1;
  if (headerBytes < 40 || headerBytes > bitmap.length || height <= 0 || height > MAX_SIDE) return null;
  const palette = bits <= 8 ? 4 * (colours || 1 << bits) : 0;
  const file = new Uint8Array(FILE_HEADER + bitmap.length);
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4d]);
  view.setUint32(2, file.length, true);
  view.setUint32(10, FILE_HEADER + headerBytes + palette, true);
  file.set(bitmap, FILE_HEADER);
  view.setInt32(FILE_HEADER + 8, height, true);
  return file;
}

/** Larger icons are not decoded. */
const MAX_PIXELS = 1024 * 1024;

const SIDE = 16;
/** Cells of colour on each side. */
const COLOUR_SIDE = 4;
/** Minimum number of differences in an icon that says something. */
const LEAST_STEPS = 12;
const LEAST_STEP = 20;

/** Returns what is compared of an icon; of one in a form that the runtime cannot decode, such as SVG, the hash alone. */
export async function printIcon(file: Uint8Array): Promise<IconPrint> {
  const sha256 = createHash('sha256').update(file).digest('hex').slice(0, 32);
  const pixels = await decodePixels(icoPicture(file) ?? file, {
    ...({ width: SIDE, height: SIDE, fit: 'fill', maxPixels: MAX_PIXELS } as const),
  });
  return { sha256, shape: pixels && shapeOf(pixels) };
}

function shapeOf(pixels: Pixels): string | null {
  const bits = new Uint8Array((2 * SIDE * SIDE) >> 3);
  let steps = 0;
  const note = (index: number) => {
    bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  };
  for (let at = 0; at < SIDE * SIDE; at++) {
    const right = at % SIDE === SIDE - 1 ? at : at + 1;
    const below = at + SIDE >= SIDE * SIDE ? at : at + SIDE;
    for (const [way, to] of [right, below].entries()) {
      const step = brightness(pixels, to) - brightness(pixels, at);
      if (Math.abs(step) >= LEAST_STEP) steps++;
      if (step >= LEAST_STEP) note(2 * at + way);
    }
  }
  return steps < LEAST_STEPS ? null : bits.toHex() + coloursOf(pixels);
}

/** Mean colours of the cells, on white. */
function coloursOf({ rgba }: Pixels): string {
  const sums = new Float64Array(3 * COLOUR_SIDE * COLOUR_SIDE);
  const scale = SIDE / COLOUR_SIDE;
  for (let at = 0; at < SIDE * SIDE; at++) {
    const cell = Math.floor(Math.floor(at / SIDE) / scale) * COLOUR_SIDE + Math.floor((at % SIDE) / scale);
    const opacity = (rgba[4 * at + 3] ?? 255) / 255;
    for (let part = 0; part < 3; part++) {
      const value = 255 - (255 - (rgba[4 * at + part] ?? 0)) * opacity;
      sums[3 * cell + part] = (sums[3 * cell + part] ?? 0) + value / scale ** 2;
    }
  }
  return Uint8Array.from(sums, Math.round).toHex();
}
