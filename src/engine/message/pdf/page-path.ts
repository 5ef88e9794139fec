import type { Point } from './matrix.ts';

/** The path that the operators of a page construct (ISO 32000-1 §8.5.2), without its curves' bows. */
export interface PagePath {
  /** Carries out an operator that constructs a path. */
  construct(operator: string, numbers: readonly number[]): void;
  /** Returns the lines, and begins a new path. */
  take(): Point[][];
}

/** Maximum number of points of a path. */
const MAX_POINTS = 100_000;

export function pagePath(): PagePath {
  let lines: Point[][] = [];
  let points = 0;
  return {
    construct(operator, [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) {
      if (points > MAX_POINTS) return;
      points += 4;
      const line = lines.at(-1);
      if (operator === 'm') lines.push([[a, b]]);
      if (operator === 'l') line?.push([a, b]);
      if (operator === 'c') line?.push([a, b], [c, d], [e, f]);
      if (operator === 'v' || operator === 'y') line?.push([a, b], [c, d]);
      if (operator === 're') lines.push(rectangle(a, b, a + c, b + d));
    },
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
