import decodeQR, { type Quad } from 'qr/decode.js';

/** Longer sides are scaled down to this many pixels first: a photograph holds more than is needed to read a code. */
const MAX_SIDE = 2048;

/** Milliseconds that one attempt to find a code may take beyond what is always done. */
const TIME_LIMIT_MS = 1500;

/** The same for one frame of a camera, of which there are many: shorter sides and less time keep the page responsive. */
const MAX_FRAME_SIDE = 640;
const FRAME_TIME_LIMIT_MS = 60;

/** Codes that are read of one picture. */
const MAX_CODES = 30;

/** Returns the distinct texts of the QR codes in a picture; empty if there are none or the picture is unreadable. */
export async function readCodes(picture: Blob): Promise<string[]> {
  const bitmap = await createImageBitmap(picture).catch(() => null);
  if (bitmap === null) return [];
  const longest = Math.max(bitmap.width, bitmap.height);
  // Some codes are only found at another size: small ones when they are enlarged, noisy ones when they shrink.
  const scales = [1, 0.5, 2].map((scale) => Math.min(scale, MAX_SIDE / longest));
  const texts = new Set<string>();
  for (const scale of new Set(scales)) for (const text of codesAt(bitmap, scale)) texts.add(text);
  return [...texts];
}

/** Returns the text of the QR code in the current frame of a video, or null. */
export function codeInFrame(video: HTMLVideoElement): string | null {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0) return null;
  const scale = Math.min(1, MAX_FRAME_SIDE / Math.max(width, height));
  const context = contextOf(video, { width, height }, scale);
  return context && (firstCode(context, FRAME_TIME_LIMIT_MS)?.text ?? null);
}

/** The codes that are found at one size: each is painted over, until no other one is found. */
function codesAt(bitmap: ImageBitmap, scale: number): string[] {
  const context = contextOf(bitmap, bitmap, scale);
  const texts: string[] = [];
  while (context !== null && texts.length < MAX_CODES) {
    const code = firstCode(context, TIME_LIMIT_MS);
    if (code === null) break;
    texts.push(code.text);
    paintOver(context, code.outline);
  }
  return texts;
}

function contextOf(
  picture: ImageBitmap | HTMLVideoElement,
  size: { readonly width: number; readonly height: number },
  scale: number,
): OffscreenCanvasRenderingContext2D | null {
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  // What is transparent would be read as black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  return context;
}

function firstCode(
  context: OffscreenCanvasRenderingContext2D,
  timeLimit: number,
): { readonly text: string; readonly outline: Quad } | null {
  const { width, height } = context.canvas;
  let outline: Quad | null = null;
  const pointsOnDetect = (points: { readonly outline: Quad }) => {
    ({ outline } = points);
  };
  try {
    const text = decodeQR(context.getImageData(0, 0, width, height), { timeLimit, pointsOnDetect });
    return outline === null ? null : { text, outline };
  } catch {
    return null; // The decoder throws where it finds no code.
  }
}

function paintOver(context: OffscreenCanvasRenderingContext2D, outline: Quad): void {
  context.beginPath();
  for (const { x, y } of outline) context.lineTo(x, y);
  context.closePath();
  context.fill();
}
