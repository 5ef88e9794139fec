/** Text that grows by many pieces. */
export interface GrowingText {
  readonly length: number;
  add(piece: string): void;
  /** Returns the text from a position on. */
  from(start: number): string;
  /** Removes the text behind a position. */
  cutTo(length: number): void;
}

/** Number of pieces that become one text: the engine keeps an object of each until then. */
const MANY = 2000;

/** Creates an empty text. */
export function growingText(): GrowingText {
  let whole: string[] = [];
  let [wholeLength, last, pieces] = [0, '', 0];
  const end = () => {
    // A character of it is known only once the pieces are joined.
    last.charCodeAt(0);
    whole.push(last);
    wholeLength += last.length;
    [last, pieces] = ['', 0];
  };
  const from = (start: number) =>
    start >= wholeLength ? last.slice(start - wholeLength) : (whole.join('') + last).slice(start);
  return {
    get length() {
      return wholeLength + last.length;
    },
    add(piece) {
      last += piece;
      if (++pieces === MANY) end();
    },
    from,
    cutTo(length) {
      if (length >= wholeLength) {
        last = last.slice(0, length - wholeLength);
        return;
      }
      whole = [(whole.join('') + last).slice(0, length)];
      [wholeLength, last, pieces] = [length, '', 0];
    },
  };
}
