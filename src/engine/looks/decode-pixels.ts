import { inflateSync } from 'node:zlib';
import { undoPrediction } from '#src/engine/message/pdf/undo-prediction.ts';
import type { PageLook } from '#src/network/probes/page-visit.ts';

/** Larger pictures are not decoded, unless a caller accepts even fewer. */
const MAX_PIXELS = 24_000_000;

/** A picture as bytes of red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Size of decoded pictures: `inside` only reduces, and keeps the proportions. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
  readonly fit: 'inside' | 'fill';
  readonly maxPixels?: number;
}

/** Decodes a picture in a thread of the runtime. Null if it cannot, or the picture is too large. */
export async function decodePixels(
  file: Uint8Array,
  { width, height, fit, maxPixels = MAX_PIXELS }: PixelSize,
): Promise<Pixels | null> {
  try {
    const image = new Bun.Image(file, { maxPixels });
    const sized = image.resize(width, height, { fit, withoutEnlargement: fit === 'inside' });
    return pixelsOfPng(await sized.png().bytes());
  } catch {
    return null; // It is no picture.
  }
}

/** Values per pixel by the colour type of a PNG file (§11.2.2) that the runtime writes: RGB, or RGB with opacity. */
const COLOURS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** Returns the pixels of a PNG file of 8 bits per value, as the runtime writes it. */
function pixelsOfPng(file: Uint8Array): Pixels | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const [width, height, bits, type] = [view.getUint32(16), view.getUint32(20), file[24], file[25]];
  const colours = COLOURS[type ?? -1];
  if (bits !== 8 || colours === undefined) return null;
  const packed: Uint8Array[] = [];
  for (let at = 8; at + 8 <= file.length; at += view.getUint32(at) + 12) {
    const isData = view.getUint32(at + 4) === IDAT;
    if (isData) packed.push(file.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const rows = inflateSync(Buffer.concat(packed), { maxOutputLength: (width * colours + 1) * height });
  const values = undoPrediction(new Uint8Array(rows), 15, { columns: width, colours, bits: 8 });
  if (colours === 4) return { width, height, rgba: values };
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) rgba.set(values.subarray(at * 3, at * 3 + 3), at * 4);
  return { width, height, rgba };
}

/** Type of a chunk with data. */
const IDAT = 0x49444154;

/** Brightness of a pixel on white, from 0 to 255. */
export function brightness({ rgba }: Pixels, at: number): number {
  const [red = 0, green = 0, blue = 0, opacity = 255] = rgba.subarray(at * 4, at * 4 + 4);
  return 255 - ((255 - (0.3 * red + 0.59 * green + 0.11 * blue)) * opacity) / 255;
}

/** Cells of the picture of a page, in columns and rows. */
const EDGE_GRID = { columns: 64, rows: 40 } as const;

/** Minimum difference of brightness at an edge, and as a share of the largest of the picture. */
const LEAST_STEP = 6;
const LEAST_SHARE = 0.12;

/** Returns the colours and edges of the picture of a page; null if it cannot be decoded. */
export async function printPicture(file: Uint8Array): Promise<Pick<PageLook, 'colours' | 'edges'> | null> {
  const pixels = await decodePixels(file, { width: EDGE_GRID.columns, height: EDGE_GRID.rows, fit: 'fill' });
  return pixels && { colours: coloursOf(pixels), edges: edgesOf(pixels) };
}

function coloursOf({ rgba, width, height }: Pixels): string {
  const counts = new Uint32Array(64);
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(at, at + 3);
    const colour = ((red >> 6) << 4) | ((green >> 6) << 2) | (blue >> 6);
    counts[colour] = (counts[colour] ?? 0) + 1;
  }
  return Uint8Array.from(counts, (count) => (255 * count) / (width * height)).toHex();
}

/** A dark page has the same edges as a light one, and so has one in other colours: their direction does not count. */
function edgesOf(pixels: Pixels): string {
  const { width, height } = pixels;
  const grey = Float32Array.from({ length: width * height }, (_, at) => brightness(pixels, at));
  const step = (at: number, to: number) => Math.abs((grey[at] ?? 0) - (grey[to] ?? 0));
  const steps = grey.map((_, at) => {
    const right = at % width === width - 1 ? at : at + 1;
    const below = at + width >= grey.length ? at : at + width;
    return Math.max(step(at, right), step(at, below));
  });
  const least = Math.max(LEAST_STEP, LEAST_SHARE * steps.reduce((a, b) => Math.max(a, b), 0));
  const bits = new Uint8Array(steps.length >> 3);
  for (const [at, size] of steps.entries()) if (size >= least) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return bits.toHex();
}
