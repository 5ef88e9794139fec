/** A picture in a message, which may contain a QR code. */
export interface MessagePicture {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True for a bitmap of greys that was made here. */
  readonly isBitmap?: true;
}

/** Grey pixels, row by row from the top: 0 is black, 255 white. */
export interface GrayPixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Bytes before the pixels of a bitmap: its header, and a palette of 256 greys. */
const START = 54 + 4 * 256;

/** Returns pixels as a picture of a message. */
export function bitmapPicture(name: string, pixels: GrayPixels): MessagePicture {
  return { name, contentType: 'image/bmp', bytes: bitmapFile(pixels), isBitmap: true };
}

/** Returns pixels as a bitmap file of one byte per pixel, whose rows begin at the bottom and are multiples of four bytes. */
function bitmapFile({ width, height, pixels }: GrayPixels): Uint8Array<ArrayBuffer> {
  const stride = Math.ceil(width / 4) * 4;
  const bytes = new Uint8Array(START + stride * height);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  for (const [at, value] of [
    [2, bytes.length],
    [10, START],
    [14, 40],
    [18, width],
    [22, height],
    [46, 256],
  ] as const)
    view.setUint32(at, value, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 8, true);
  for (let grey = 0; grey < 256; grey++) bytes.fill(grey, 54 + 4 * grey, 57 + 4 * grey);
  for (let row = 0; row < height; row++)
    bytes.set(pixels.subarray(row * width, (row + 1) * width), START + stride * (height - 1 - row));
  return bytes;
}

/** Returns the pixels of such a bitmap. */
export function pixelsOfBitmap(bitmap: Uint8Array): GrayPixels {
  const view = new DataView(bitmap.buffer, bitmap.byteOffset);
  const [width, height] = [view.getUint32(18, true), view.getUint32(22, true)];
  const stride = Math.ceil(width / 4) * 4;
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = START + stride * (height - 1 - row);
    pixels.set(bitmap.subarray(from, from + width), row * width);
  }
  return { width, height, pixels };
}
