/** Gathers running text as it is shown: white space collapsed, one line a block, up to a budget. */
export interface TextSink {
  add(text: string): void;
  /** Starts a new line, if something was written since the last. */
  breakLine(): void;
  readonly isFull: boolean;
  finish(): string;
}

/** Creates a sink that stores `maxCharacters` and drops the rest. */
export function createTextSink(maxCharacters: number): TextSink {
  const parts: string[] = [];
  let length = 0;
  let last = '\n';
  let isFull = false;
  const push = (piece: string) => {
    const room = maxCharacters - length;
    if (piece.length > room) isFull = true;
    if (room <= 0) return;
    const retained = piece.slice(0, room);
    parts.push(retained);
    length += retained.length;
    last = retained.charAt(retained.length - 1);
  };
  return {
    add(text) {
      if (isFull) return;
      // Slightly more than fits, so that a mass of white space cannot cost more than the budget.
      const flat = text.slice(0, 4 * maxCharacters).replace(/\s+/g, ' ');
      const piece = (last === ' ' || last === '\n') && flat.startsWith(' ') ? flat.slice(1) : flat;
      if (piece !== '') push(piece);
    },
    breakLine() {
      if (last !== '\n') push('\n');
    },
    get isFull() {
      return isFull;
    },
    finish: () => parts.join('').trim().toWellFormed(),
  };
}

/** Text on one line, trimmed and cut. */
export function oneLine(text: string, maxCharacters: number): string {
  return text
    .slice(0, 4 * maxCharacters)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed();
}
