import type { Point } from './graphics-state.ts';

/** Text that is shown at once: from where to where, and the size of its font on the page. */
export interface TextRun {
  readonly text: string;
  readonly from: Point;
  readonly to: Point;
  readonly size: number;
}

/** A rectangle of a page: left, bottom, right, top. */
export type Rectangle = readonly [number, number, number, number];

/** The text of a page, joined by the positions of its runs. */
export interface PageText {
  add(run: TextRun): void;
  text(): string;
  /** Returns the words within a rectangle; empty if there are none. */
  within(rectangle: Rectangle): string;
  readonly isWhole: boolean;
}

/** Maximum number of runs of a page, and of characters. */
const MAX_RUNS = 20_000;
const MAX_TEXT = 1_000_000;

/** Length from which on words are long enough. */
const MAX_WORDS = 500;

/** Distance from which on two runs of a line are two words, and two runs are two lines, in sizes of the font. */
const WORD_GAP = 0.18;
const LINE_GAP = 0.5;

/** Creates the text of a page, which is empty. */
export function pageText(): PageText {
  const runs: TextRun[] = [];
  let length = 0;
  let isWhole = true;
  return {
    get isWhole() {
      return isWhole;
    },
    add(run) {
      if (run.text === '') return;
      if (runs.length >= MAX_RUNS || length >= MAX_TEXT) isWhole = false;
      else {
        runs.push(run);
        length += run.text.length;
      }
    },
    text: () => runs.map((run, at) => gapBefore(run, runs[at - 1]) + run.text).join(''),
    within(rectangle) {
      let words = '';
      let last: TextRun | undefined;
      for (const run of runs) {
        const part = partWithin(run, rectangle);
        if (part === '') continue;
        if (words.length > MAX_WORDS) break;
        words += gapBefore(run, last) + part;
        last = run;
      }
      return words;
    },
  };
}

function gapBefore({ from, size, text }: TextRun, last: TextRun | undefined): string {
  if (last === undefined) return '';
  const [x, y] = [last.to[0] - last.from[0], last.to[1] - last.from[1]];
  const length = Math.hypot(x, y) || 1;
  const [right, up] = length === 1 && x === 0 && y === 0 ? [1, 0] : [x / length, y / length];
  const [dx, dy] = [from[0] - last.to[0], from[1] - last.to[1]];
  const along = dx * right + dy * up;
  const across = Math.abs(dy * right - dx * up);
  const unit = Math.max(size, last.size, 0.01);
  if (across > LINE_GAP * unit || along < -2 * unit) return '\n';
  return along > WORD_GAP * unit && !/^\s/.test(text) && !/\s$/.test(last.text) ? ' ' : '';
}

/** Returns the words of a run that begin or end within a rectangle. */
function partWithin({ text, from, to }: TextRun, [left, bottom, right, top]: Rectangle): string {
  const middle = (from[1] + to[1]) / 2;
  if (middle < bottom - 1 || middle > top + 1 || Math.max(from[0], to[0]) < left || Math.min(from[0], to[0]) > right)
    return '';
  const width = to[0] - from[0];
  if (!(width > 0) || text.length > MAX_WORDS) return text.slice(0, MAX_WORDS);
  const place = (x: number) => Math.round(((x - from[0]) / width) * text.length);
  const [start, end] = [Math.max(0, place(left)), Math.min(text.length, place(right))];
  // Widths are not exact: whole words count whose larger part is within.
  let part = '';
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const inside = Math.min(end, index + word.length) - Math.max(start, index);
    if (2 * inside > word.length) part += (part === '' ? '' : ' ') + word;
  }
  return part;
}
