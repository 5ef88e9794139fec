/** A transformation of coordinates (ISO 32000-1 §8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

/** A point of the page, in units of 1/72 inch. */
export type Point = readonly [number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the transformation by the first, then by the second. */
export function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

export function transformed([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}
