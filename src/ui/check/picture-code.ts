import decodeQR from 'qr/decode.js';

/** Longer sides are scaled down to this many pixels first: a photograph holds more than is needed to read a code. */
const MAX_SIDE = 2048;

/** Milliseconds that one attempt to find a code may take beyond what is always done. */
const TIME_LIMIT_MS = 1500;

/** The text of the QR code in a picture; null where there is none, or where the browser cannot read the picture. */
export async function readCode(picture: Blob): Promise<string | null> {
  const bitmap = await createImageBitmap(picture).catch(() => null);
  if (bitmap === null) return null;
  const longest = Math.max(bitmap.width, bitmap.height);
  // Some codes are only found at another size: small ones when they are enlarged, noisy ones when they shrink.
  const scales = [1, 0.5, 2].map((scale) => Math.min(scale, MAX_SIDE / longest));
  for (const scale of new Set(scales)) {
    const text = codeIn(pixelsOf(bitmap, scale));
    if (text !== null) return text;
  }
  return null;
}

function pixelsOf(bitmap: ImageBitmap, scale: number): ImageData {
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) return new ImageData(1, 1);
  // What is transparent would be read as black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

function codeIn(pixels: ImageData): string | null {
  try {
    return decodeQR(pixels, { timeLimit: TIME_LIMIT_MS });
  } catch {
    return null; // The decoder throws where it finds no code.
  }
}
