import { createHash } from 'node:crypto';
import type { IconPrint } from '#src/network/probes/page-visit.ts';
import { brightness, decodePixels, type Pixels } from './decode-pixels.ts';
import { icoPicture } from './ico-picture.ts';

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
