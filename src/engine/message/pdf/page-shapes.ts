import type { GrayPixels } from '../pictures.ts';
import type { Point } from './graphics-state.ts';

/** A filled shape: closed lines, and how bright it is (0 to 255). */
export interface FilledShape {
  readonly lines: readonly (readonly Point[])[];
  readonly brightness: number;
  readonly isEvenOdd: boolean;
}

/** The filled shapes of a page, of which a code may be drawn. */
export interface PageShapes {
  add(shape: FilledShape): void;
  /** Draws the shapes; null if they are too few for a code. */
  pixels(): GrayPixels | null;
  readonly isWhole: boolean;
}

/** Minimum number of lines of a drawn code: the smallest has 21 rows of several runs. */
const LEAST_LINES = 60;

/** Maximum number of points of a page, and of one path. */
const MAX_POINTS = 100_000;

/** Longer side of the drawing with its margin, in pixels, and how often lines may cross its rows. */
const SIDE = 1400;
const MARGIN = 30;
const MAX_CROSSINGS = 400_000;

/** Creates the shapes of a page, of which there are none. */
export function pageShapes(): PageShapes {
  const shapes: FilledShape[] = [];
  let points = 0;
  let count = 0;
  let isWhole = true;
  return {
    get isWhole() {
      return isWhole;
    },
    add(shape) {
      points += shape.lines.reduce((sum, line) => sum + line.length, 0);
      count += shape.lines.length;
      if (points > MAX_POINTS) isWhole = false;
      else shapes.push(shape);
    },
    pixels: () => (count < LEAST_LINES ? null : drawn(shapes)),
  };
}

/** Draws shapes in their order; those that are much larger than all others are grounds, whose extent does not count. */
function drawn(shapes: readonly FilledShape[]): GrayPixels | null {
  const boxes = shapes.map(({ lines }) => boxOf(lines));
  const sizes = boxes.map(({ width, height }) => Math.max(width, height)).toSorted((a, b) => a - b);
  const small = MAX_SMALL * (sizes[Math.floor(0.9 * (sizes.length - 1))] ?? 0);
  const parts =
    shapes.length < LEAST_LINES ? boxes : boxes.filter(({ width, height }) => Math.max(width, height) <= small);
  const left = parts.reduce((least, box) => Math.min(least, box.left), Infinity);
  const top = parts.reduce((most, box) => Math.max(most, box.bottom + box.height), -Infinity);
  const width = parts.reduce((most, box) => Math.max(most, box.left + box.width - left), 0);
  const height = parts.reduce((most, box) => Math.max(most, top - box.bottom), 0);
  if (!(width > 0 && height > 0 && Number.isFinite(width + height))) return null;
  const scale = (SIDE - 2 * MARGIN) / Math.max(width, height);
  const [columns, rows] = [width, height].map((side) => Math.ceil(side * scale) + 2 * MARGIN) as [number, number];
  const pixels = new Uint8Array(columns * rows).fill(255);
  let crossingsLeft = MAX_CROSSINGS;
  for (const { lines, brightness, isEvenOdd } of shapes) {
    const placed = lines.map((line) =>
      line.map(([x, y]): Point => [(x - left) * scale + MARGIN, (top - y) * scale + MARGIN]),
    );
    const crossings = crossingsOf(placed, rows, crossingsLeft);
    for (const [row, all] of crossings) {
      crossingsLeft -= all.length;
      fillRow(pixels.subarray(row * columns, (row + 1) * columns), all, brightness, isEvenOdd);
    }
    if (crossingsLeft <= 0) return null;
  }
  return { width: columns, height: rows, pixels };
}

/** How much larger than most shapes one may be that is part of a code, such as a finder pattern. */
const MAX_SMALL = 8;

interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

function boxOf(lines: FilledShape['lines']): Box {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines) {
    for (const [x, y] of line) {
      [left, bottom] = [Math.min(left, x), Math.min(bottom, y)];
      [right, top] = [Math.max(right, x), Math.max(top, y)];
    }
  }
  return { left, bottom, width: right - left, height: top - bottom };
}

/** Crossing of a line with the middle of a row, and its direction. */
interface Crossing {
  readonly x: number;
  readonly direction: number;
}

function crossingsOf(lines: FilledShape['lines'], rows: number, max: number): Map<number, Crossing[]> {
  const byRow = new Map<number, Crossing[]>();
  let count = 0;
  for (const line of lines) {
    for (const [at, [x1, y1]] of line.entries()) {
      const [x2, y2] = line[(at + 1) % line.length] ?? [x1, y1];
      const [upper, lower] = [Math.min(y1, y2), Math.max(y1, y2)];
      const end = Math.min(rows, lower - 0.5);
      for (let row = Math.max(0, Math.ceil(upper - 0.5)); row < end && count < max; row++, count++) {
        const x = x1 + ((row + 0.5 - y1) / (y2 - y1)) * (x2 - x1);
        const known = byRow.get(row);
        const crossing = { x, direction: y2 > y1 ? 1 : -1 };
        if (known === undefined) byRow.set(row, [crossing]);
        else known.push(crossing);
      }
    }
  }
  return byRow;
}

function fillRow(row: Uint8Array, crossings: Crossing[], brightness: number, isEvenOdd: boolean): void {
  crossings.sort((a, b) => a.x - b.x);
  let winding = 0;
  for (const [at, { x, direction }] of crossings.entries()) {
    winding += direction;
    const isInside = isEvenOdd ? at % 2 === 0 : winding !== 0;
    const end = crossings[at + 1]?.x;
    if (isInside && end !== undefined) row.fill(brightness, clamped(x, row.length), clamped(end, row.length));
  }
}

function clamped(x: number, most: number): number {
  return Math.min(most, Math.max(0, Math.round(x)));
}

/** Returns the path that the operators of a page construct (ISO 32000-1 §8.5.2), without its curves' bows. */
export function pagePath() {
  let lines: Point[][] = [];
  let points = 0;
  return {
    /** Carries out an operator that constructs a path. */
    construct(operator: string, [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[]) {
      if (points > MAX_POINTS) return;
      points += 4;
      const line = lines.at(-1);
      if (operator === 'm') lines.push([[a, b]]);
      if (operator === 'l') line?.push([a, b]);
      if (operator === 'c') line?.push([a, b], [c, d], [e, f]);
      if (operator === 'v' || operator === 'y') line?.push([a, b], [c, d]);
      if (operator === 're') lines.push(rectangle(a, b, a + c, b + d));
    },
    /** Returns the lines, and begins a new path. */
    take() {
      const taken = lines;
      lines = [];
      points = 0;
      return taken;
    },
  };
}

/** Returns the stretches of drawn lines as areas; only straight ones along an axis, as codes are drawn. */
export function strokesOf(lines: readonly (readonly Point[])[], width: number): Point[][] {
  const half = width / 2;
  return lines.flatMap((line) =>
    line.slice(1).flatMap(([x2, y2], at): Point[][] => {
      const [x1, y1] = line[at] ?? [x2, y2];
      if (y1 === y2) return [rectangle(x1, y1 - half, x2, y1 + half)];
      return x1 === x2 ? [rectangle(x1 - half, y1, x1 + half, y2)] : [];
    }),
  );
}

function rectangle(left: number, bottom: number, right: number, top: number): Point[] {
  return [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ];
}
