import { describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { iconLikeness } from '#src/engine/analyzers/page/own-prints.ts';
import { printPicture } from '#src/engine/looks/decode-pixels.ts';
import { icoPicture, printIcon } from '#src/engine/looks/icon-print.ts';

type Colour = readonly [red: number, green: number, blue: number];
type Painter = (x: number, y: number) => Colour;

/** Draws a bitmap (BMP, 24 bits) of a size; coordinates are in [0, 1). */
function bitmap(width: number, height: number, paint: Painter): Uint8Array<ArrayBuffer> {
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = new Uint8Array(54 + row * height);
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4d]);
  for (const [at, value] of [
    [2, file.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    view.setUint32(at, value, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) file.set(paint(x / width, 1 - (y + 1) / height).toReversed(), 54 + y * row + 3 * x);
  }
  return file;
}

const png = (file: Uint8Array) => new Bun.Image(file).png().bytes();

/** An icon file with pictures, as bitmaps without their file header or as PNG. */
function ico(pictures: readonly (readonly [side: number, file: Uint8Array])[]): Uint8Array {
  const head = new Uint8Array(6 + 16 * pictures.length);
  const view = new DataView(head.buffer);
  view.setUint16(2, 1, true);
  view.setUint16(4, pictures.length, true);
  const bodies = pictures.map(([, file]) => {
    if (file[0] !== 0x42) return file;
    const body = file.slice(14);
    const inside = new DataView(body.buffer);
    inside.setInt32(8, inside.getInt32(8, true) * 2, true);
    return Buffer.concat([body, new Uint8Array(256)]);
  });
  let start = head.length;
  for (const [index, [side]] of pictures.entries()) {
    head[6 + 16 * index] = side;
    view.setUint16(6 + 16 * index + 6, 24, true);
    view.setUint32(6 + 16 * index + 8, bodies[index]?.length ?? 0, true);
    view.setUint32(6 + 16 * index + 12, start, true);
    start += bodies[index]?.length ?? 0;
  }
  return Buffer.concat([head, ...bodies]);
}

const GREEN: Colour = [11, 93, 59];
const LIGHT: Colour = [250, 250, 240];
/** Mixes two colours: a picture without hard edges looks alike in each size. */
const mix = (one: Colour, other: Colour, share: number): Colour => {
  const part = Math.min(1, Math.max(0, share));
  const [red = 0, green = 0, blue = 0] = one.map((value, at) => Math.round(value + ((other[at] ?? 0) - value) * part));
  return [red, green, blue];
};
const ringOf =
  (ground: Colour): Painter =>
  (x, y) =>
    mix(ground, LIGHT, (0.16 - Math.abs(Math.hypot(x - 0.5, y - 0.5) - 0.3)) * 15);
const ring = ringOf(GREEN);
const cross: Painter = (x, y) => (Math.abs(x - 0.5) < 0.1 || Math.abs(y - 0.4) < 0.1 ? LIGHT : GREEN);

describe('the print of an icon', () => {
  test('is alike in each size and format', async () => {
    const own = await printIcon(bitmap(32, 32, ring));
    const large = await png(bitmap(180, 180, ring));
    const formats: Record<string, Uint8Array> = {
      png: large,
      jpeg: await new Bun.Image(large).jpeg({ quality: 80 }).bytes(),
      webp: await new Bun.Image(large).webp({ quality: 80 }).bytes(),
      'an icon file of bitmaps': ico([
        [16, bitmap(16, 16, cross)],
        [48, bitmap(48, 48, ring)],
      ]),
      'an icon file with a PNG': ico([[64, await png(bitmap(64, 64, ring))]]),
    };
    for (const [name, file] of Object.entries(formats)) {
      expect([name, iconLikeness(own, await printIcon(file)) > 0.5]).toEqual([name, true]);
    }
    expect(iconLikeness(own, await printIcon(large.slice()))).toBeGreaterThan(0);
    expect(iconLikeness(own, await printIcon(bitmap(32, 32, cross)))).toBe(0);
    const red = await printIcon(bitmap(32, 32, ringOf([200, 20, 20])));
    expect(iconLikeness(own, red)).toBe(0);
  });

  test('of a picture without content, and of what cannot be decoded, is the hash of the file', async () => {
    const flat = await printIcon(bitmap(16, 16, () => GREEN));
    const svg = await printIcon(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>'));
    for (const print of [flat, svg, await printIcon(new Uint8Array()), await printIcon(Buffer.from('GIF89a'))]) {
      expect(print.shape).toBeNull();
      expect(print.sha256).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(iconLikeness(svg, svg)).toBe(1);
    expect(iconLikeness(svg, flat)).toBe(0);
  });

  test('hostile icon files have no picture, or one that is not decoded', async () => {
    const whole = ico([[48, bitmap(48, 48, ring)]]);
    for (let cut = 0; cut < 80; cut++) await printIcon(whole.slice(0, cut));
    expect(icoPicture(whole.slice(0, 40))).toBeNull();
    const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
    for (const [at, value] of [
      [22 + 8, 0x7fffffff],
      [22 + 8, 0],
      [22, 12],
      [22, 0x7fffffff],
      [18, 0xffffffff],
    ] as const) {
      const before = view.getUint32(at, true);
      view.setUint32(at, value, true);
      expect((await printIcon(whole)).shape).toBeNull();
      view.setUint32(at, before, true);
    }
    // A picture that claims to be larger than any icon.
    const bomb = Buffer.from(await png(bitmap(16, 16, ring)));
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    expect((await printIcon(Buffer.concat([bomb, deflateSync(new Uint8Array(10))]))).shape).toBeNull();
  });
});

test('the picture of a page has the same edges in the dark, and the same bytes have the same print', async () => {
  const page: Painter = (x, y) => (y < 0.1 || (x > 0.3 && x < 0.6 && y > 0.3 && y < 0.6) ? GREEN : LIGHT);
  const light = await png(bitmap(1280, 800, page));
  const dark = await png(bitmap(1280, 800, (x, y) => page(x, y).map((part) => 255 - part) as unknown as Colour));
  const [one, again, other] = [await printPicture(light), await printPicture(light), await printPicture(dark)];
  expect(one).toEqual(again);
  expect(one?.edges).toMatch(/^[0-9a-f]{640}$/);
  expect(one?.colours).toMatch(/^[0-9a-f]{128}$/);
  expect(other?.edges).toBe(one?.edges ?? '');
  expect(other?.colours).not.toBe(one?.colours ?? '');
  expect(await printPicture(Buffer.from('no picture'))).toBeNull();
});
