import { inflateSync } from 'node:zlib';
import type { MessagePicture } from '#src/engine/message/embedded-picture.ts';
import { type GrayPixels, pixelsOfBitmap } from '#src/engine/message/gray-bitmap.ts';
import { undoPrediction } from '#src/engine/message/pdf/undo-prediction.ts';

/** Larger pictures are not decoded, and longer sides are reduced: more pixels are not needed to read a code. */
const MAX_PIXELS = 24_000_000;
const MAX_SIDE = 1400;

/**
 * Returns the grey pixels of a picture, with transparency on white. Null if the runtime cannot decode the format, or
 * the picture is too large.
 */
export async function picturePixels({ bytes, isBitmap }: MessagePicture): Promise<GrayPixels | null> {
  if (isBitmap) return pixelsOfBitmap(bytes);
  try {
    const image = new Bun.Image(bytes, { maxPixels: MAX_PIXELS });
    const reduced = image.resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true });
    return pixelsOfPng(await reduced.png().bytes());
  } catch {
    return null; // It is no picture.
  }
}

/** Values per pixel by the colour type of a PNG file (§11.2.2) that the runtime writes: RGB, or RGB with opacity. */
const COLOURS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** Returns the pixels of a PNG file of 8 bits per value, as the runtime writes it. */
function pixelsOfPng(file: Uint8Array): GrayPixels | null {
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
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at++) {
    const [red = 0, green = 0, blue = 0, opacity = 255] = values.subarray(at * colours, (at + 1) * colours);
    pixels[at] = 255 - ((255 - (0.3 * red + 0.59 * green + 0.11 * blue)) * opacity) / 255;
  }
  return { width, height, pixels };
}

/** Type of a chunk with data. */
const IDAT = 0x49444154;
