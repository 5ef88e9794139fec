import { brightness, decodePixels } from '#src/engine/looks/decode-pixels.ts';
import type { Message } from '#src/engine/message/message.ts';
import { type MessageLink, withoutRepeats } from '#src/engine/message/message-link.ts';
import { type GrayPixels, type MessagePicture, pixelsOfBitmap } from '#src/engine/message/pictures.ts';
import { createReading } from '#src/engine/message/reading.ts';
import { DRAWN_CODE } from '#src/engine/message/text/drawn-code.ts';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';

/** Longer sides are reduced: more pixels are not needed to read a code. */
const MAX_SIDE = 1400;

/**
 * Returns the grey pixels of a picture, with transparency on white. Null if the runtime cannot decode the format, or
 * the picture is too large.
 */
async function picturePixels({ bytes, isBitmap }: MessagePicture): Promise<GrayPixels | null> {
  if (isBitmap) return pixelsOfBitmap(bytes);
  const decoded = await decodePixels(bytes, { width: MAX_SIDE, height: MAX_SIDE, fit: 'inside' });
  if (decoded === null) return null;
  const { width, height } = decoded;
  return { width, height, pixels: Uint8Array.from({ length: width * height }, (_, at) => brightness(decoded, at)) };
}

/** Milliseconds that the decoder may spend on a code beyond what it always does. */
const TIME_LIMIT_MS = 200;

/** Maximum number of codes of one picture, and of pictures. */
const MAX_CODES = 8;
const MAX_PICTURES = 30;

/**
 * Adds the links of QR codes in the pictures of a message. Pictures that are not examined stay among the pictures: those that
 * cannot be decoded, drawn codes that cannot be read, and what is left once the budget is spent.
 *
 * @param kinds `drawn`: only pictures that this program drew, which cost no decoder of pictures
 */
export async function readPictureCodes(
  message: Message,
  isSpent: () => boolean,
  kinds: 'drawn' | 'all',
): Promise<Message> {
  const links: MessageLink[] = [];
  const pictures: MessagePicture[] = [];
  let count = 0;
  for (const picture of message.pictures) {
    const isWanted = (picture.isBitmap || kinds === 'all') && count++ < MAX_PICTURES && !isSpent();
    const pixels = isWanted ? await picturePixels(picture) : null;
    const texts = pixels === null ? [] : await codesIn(pixels);
    const isDrawn = picture.name === DRAWN_CODE;
    if (pixels === null || (isDrawn && texts.length === 0)) pictures.push(picture);
    const found = texts.flatMap((text) => linksInText(text, undefined, true).links);
    links.push(...found.map((link) => (isDrawn ? link : { ...link, file: picture.name })));
  }
  return { ...message, pictures, links: withoutRepeats([...message.links, ...links], createReading()) };
}

/** Returns the texts of the codes in a picture; a code that is found at no size may be found at half of it. */
async function codesIn(pixels: GrayPixels): Promise<string[]> {
  const { default: decodeQR } = await import('qr/decode.js');
  const found = codesAt(pixels, decodeQR);
  return found.length > 0 ? found : codesAt(halved(pixels), decodeQR);
}

/** Decoder of the library. */
type Decoder = typeof import('qr/decode.js').default;

/** Returns the texts of codes; each is painted over, until no other one is found. */
function codesAt({ width, height, pixels }: GrayPixels, decodeQR: Decoder): string[] {
  const data = new Uint8Array(3 * width * height);
  for (let at = 0; at < data.length; at++) data[at] = pixels[Math.floor(at / 3)] ?? 0;
  const texts: string[] = [];
  while (texts.length < MAX_CODES) {
    let corners: readonly { readonly x: number; readonly y: number }[] = [];
    const pointsOnDetect = ({ outline }: { readonly outline: typeof corners }) => {
      corners = outline;
    };
    try {
      texts.push(decodeQR({ width, height, data }, { timeLimit: TIME_LIMIT_MS, pointsOnDetect }));
    } catch {
      break; // The decoder throws if it finds no code.
    }
    const [left, right] = rangeOf(
      corners.map(({ x }) => x),
      width,
    );
    const [top, bottom] = rangeOf(
      corners.map(({ y }) => y),
      height,
    );
    for (let row = top; row < bottom; row++) data.fill(255, 3 * (row * width + left), 3 * (row * width + right));
  }
  return [...new Set(texts)];
}

function rangeOf(values: readonly number[], most: number): [number, number] {
  return [Math.max(0, Math.floor(Math.min(...values))), Math.min(most, Math.ceil(Math.max(...values)))];
}

function halved({ width, height, pixels }: GrayPixels): GrayPixels {
  const [columns, rows] = [width >> 1, height >> 1];
  const half = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = 2 * row * width + 2 * column;
      const [one = 0, two = 0, three = 0, four = 0] = [
        pixels[at],
        pixels[at + 1],
        pixels[at + width],
        pixels[at + width + 1],
      ];
      half[row * columns + column] = (one + two + three + four) / 4;
    }
  }
  return { width: columns, height: rows, pixels: half };
}
