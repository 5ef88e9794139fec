import { brightness, decodePixels } from '#src/engine/looks/decode-pixels.ts';
import { type GrayPixels, type MessagePicture, pixelsOfBitmap } from '#src/engine/message/pictures.ts';

/** Longer sides are reduced: more pixels are not needed to read a code. */
const MAX_SIDE = 1400;

/**
 * Returns the grey pixels of a picture, with transparency on white. Null if the runtime cannot decode the format, or
 * the picture is too large.
 */
export async function picturePixels({ bytes, isBitmap }: MessagePicture): Promise<GrayPixels | null> {
  if (isBitmap) return pixelsOfBitmap(bytes);
  const decoded = await decodePixels(bytes, { width: MAX_SIDE, height: MAX_SIDE, fit: 'inside' });
  if (decoded === null) return null;
  const { width, height } = decoded;
  return { width, height, pixels: Uint8Array.from({ length: width * height }, (_, at) => brightness(decoded, at)) };
}
