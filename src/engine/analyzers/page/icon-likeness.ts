import type { IconPrint } from '#src/network/probes/page-visit.ts';

/** Bytes of differences in {@link IconPrint.shape}; mean colours follow. */
const DIFFERENCE_BYTES = 64;

/** Largest share of differences that one has alone, and mean difference of colours, of two sizes of one icon. */
const MOST_BITS = 0.33;
const MOST_COLOUR = 24;

/** Returns how far two icons look alike, in [0, 1]: 1 for the same file, 0 for different ones. */
export function iconLikeness(left: IconPrint, right: IconPrint): number {
  if (left.sha256 === right.sha256) return 1;
  if (left.shape === null || right.shape === null) return 0;
  const [one, other] = [Uint8Array.fromHex(left.shape), Uint8Array.fromHex(right.shape)];
  let [bits, any, colour] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const there = other[at] ?? 0;
    if (at < DIFFERENCE_BYTES) {
      bits += bitsIn(value ^ there);
      any += bitsIn(value | there);
    } else colour += Math.abs(value - there);
  }
  const share = any === 0 ? 1 : bits / any;
  const shift = colour / (one.length - DIFFERENCE_BYTES);
  return share > MOST_BITS || shift > MOST_COLOUR ? 0 : 1 - share;
}

function bitsIn(byte: number): number {
  let count = 0;
  for (let left = byte; left > 0; left &= left - 1) count++;
  return count;
}
