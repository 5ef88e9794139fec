import type { PageLook } from '#src/network/probes/page-visit.ts';
import { brightness, decodePixels, type Pixels } from './decode-pixels.ts';

/** Cells of the picture of a page, in columns and rows. */
export const EDGE_GRID = { columns: 64, rows: 40 } as const;

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
