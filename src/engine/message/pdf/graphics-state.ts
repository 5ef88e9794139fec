import type { PdfFont } from './pdf-font.ts';

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

/** State of the graphics and of text (ISO 32000-1 §8.4, §9.3), as far as it matters for what can be read. */
export interface GraphicsState {
  readonly matrix: Matrix;
  readonly font: PdfFont | null;
  readonly size: number;
  readonly characterSpace: number;
  readonly wordSpace: number;
  /** Factor of all widths. */
  readonly stretch: number;
  readonly leading: number;
  readonly rise: number;
  /** 0 to 255. */
  readonly brightness: number;
  readonly strokeBrightness: number;
  readonly lineWidth: number;
}

/** State at the beginning of a page. */
export const START: GraphicsState = {
  matrix: IDENTITY,
  font: null,
  size: 1,
  characterSpace: 0,
  wordSpace: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
  brightness: 0,
  strokeBrightness: 0,
  lineWidth: 1,
};

/** Returns the state after an operator that sets a part of it; the same one for any other operator. */
export function afterOperator(state: GraphicsState, operator: string, numbers: readonly number[]): GraphicsState {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  switch (operator) {
    case 'cm':
      return { ...state, matrix: product([a, b, c, d, e, f], state.matrix) };
    case 'w':
      return { ...state, lineWidth: a };
    case 'Tc':
      return { ...state, characterSpace: a };
    case 'Tw':
      return { ...state, wordSpace: a };
    case 'Tz':
      return { ...state, stretch: a / 100 };
    case 'TL':
      return { ...state, leading: a };
    case 'TD':
      return { ...state, leading: -b };
    case 'Ts':
      return { ...state, rise: a };
    case '"':
      return { ...state, wordSpace: a, characterSpace: b };
    default:
      if (/^(?:g|rg|k|scn?)$/.test(operator)) return { ...state, brightness: brightnessOf(numbers) };
      return /^(?:G|RG|K|SCN?)$/.test(operator) ? { ...state, strokeBrightness: brightnessOf(numbers) } : state;
  }
}

/** Returns how bright a colour is (§8.6): grey, red with green and blue, or four inks; a pattern is dark. */
function brightnessOf(colours: readonly number[]): number {
  const [first = 0, second = 0, third = 0, black = 0] = colours;
  const mixed = 0.3 * first + 0.59 * second + 0.11 * third;
  if (colours.length === 1) return 255 * first;
  if (colours.length === 3) return 255 * mixed;
  return colours.length === 4 ? 255 * (1 - Math.min(1, mixed + black)) : 0;
}
