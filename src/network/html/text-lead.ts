/** Letters and digits that make visible text content: about two printed pages. */
const CONTENT_LETTERS = 4000;

/** Different ones among them: a sentence has more, a word that is repeated has fewer. */
const DIFFERENT_LETTERS = 10;

/** Characters that are counted at a time. */
const PIECE_CHARACTERS = 4096;

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
      for (let from = 0; at === null && from < text.length; from += PIECE_CHARACTERS) {
        for (let i = from; i < Math.min(from + PIECE_CHARACTERS, text.length); i++) {
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
