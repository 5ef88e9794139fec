import type { MessagePicture } from '#src/engine/message/embedded-picture.ts';
import type { Message } from '#src/engine/message/message.ts';
import { withoutRepeats } from '#src/engine/message/message-link.ts';
import { createReading } from '#src/engine/message/reading.ts';
import { DRAWN_CODE } from '#src/engine/message/text/drawn-code.ts';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';

/** Milliseconds that the decoder may spend on a code beyond what it always does. */
const TIME_LIMIT_MS = 200;

/** Adds the links of QR codes that a text draws with characters; codes that cannot be decoded stay among the pictures. */
export async function readDrawnCodes(message: Message): Promise<Message> {
  if (!message.pictures.some(isDrawn)) return message;
  const { default: decodeQR } = await import('qr/decode.js');
  const textOf = ({ bytes }: MessagePicture) => {
    try {
      return decodeQR(pixelsOf(bytes), { timeLimit: TIME_LIMIT_MS });
    } catch {
      return null; // The decoder throws if it finds no code.
    }
  };
  const read = message.pictures.map((picture) => ({ picture, text: isDrawn(picture) ? textOf(picture) : null }));
  const links = read.flatMap(({ text }) => linksInText(text ?? '', undefined, true).links);
  const pictures = read.flatMap(({ picture, text }) => (text === null ? [picture] : []));
  return { ...message, pictures, links: withoutRepeats([...message.links, ...links], createReading()) };
}

const isDrawn = ({ name }: MessagePicture): boolean => name === DRAWN_CODE;

/** Returns the pixels of a bitmap of 24 bits per pixel, whose rows begin at the bottom. */
function pixelsOf(bitmap: Uint8Array<ArrayBuffer>): { width: number; height: number; data: Uint8Array } {
  const view = new DataView(bitmap.buffer, bitmap.byteOffset);
  const [start, width, height] = [view.getUint32(10, true), view.getUint32(18, true), view.getUint32(22, true)];
  const data = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const from = start + 3 * width * (height - 1 - row);
    data.set(bitmap.subarray(from, from + 3 * width), 3 * width * row);
  }
  return { width, height, data };
}
