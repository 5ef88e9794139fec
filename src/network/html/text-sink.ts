/** Letters and digits that make visible text content: about two printed pages. */
const CONTENT_LETTERS = 4000;

/** Different ones among them: a sentence has more, a word that is repeated has fewer. */
const DIFFERENT_LETTERS = 10;

/** Characters that are counted at a time. */
const LEAD_PIECE_CHARACTERS = 4096;

/** Finds how far a reader has to go into a page to have read content. */
export interface TextLead {
  /** Takes visible text that begins at an index of its source. */
  add(text: string, start: number): void;
  /** Index at which there were enough letters, about; null if there were fewer. */
  readonly at: number | null;
}

/** Creates a reader of visible text that stops counting once there is enough. */
export function createTextLead(): TextLead {
  let count = 0;
  const different = new Set<number>();
  let at: number | null = null;
  return {
    add(text, start) {
      for (let from = 0; at === null && from < text.length; from += LEAD_PIECE_CHARACTERS) {
        for (let i = from; i < Math.min(from + LEAD_PIECE_CHARACTERS, text.length); i++) {
          const code = text.charCodeAt(i);
          if (!isLetter(code)) continue;
          count += 1;
          if (different.size < DIFFERENT_LETTERS) different.add(code);
        }
        if (count >= CONTENT_LETTERS && different.size >= DIFFERENT_LETTERS) at = start + from;
      }
    },
    get at() {
      return at;
    },
  };
}

/** Returns true for letters and digits, roughly: beyond ASCII, all but punctuation, symbols and characters of no width. */
function isLetter(code: number): boolean {
  if (code < 0xc0) return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
  return !(
    (code >= 0x2000 && code <= 0x2bff) ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xfe00 && code <= 0xfeff)
  );
}

/**
 * Characters that are replaced at a time: for each match the runtime allocates a record, many times larger than the
 * character.
 */
const PIECE_CHARACTERS = 16_384;

/** A text with every NUL replaced; in pieces, so that a text of nothing else costs no more memory than any other. */
export function replaceNuls(text: string, replacement: string): string {
  if (!text.includes('\0')) return text;
  let replaced = '';
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
    replaced += text.slice(at, at + PIECE_CHARACTERS).replaceAll('\0', replacement);
  }
  return replaced;
}

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
