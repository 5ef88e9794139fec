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
  const different = new Set<string>();
  let at: number | null = null;
  return {
    add(text, start) {
      for (let from = 0; at === null && from < text.length; from += PIECE_CHARACTERS) {
        const letters = text.slice(from, from + PIECE_CHARACTERS).match(/[\p{L}\p{N}]/gu) ?? [];
        count += letters.length;
        for (const letter of different.size < DIFFERENT_LETTERS ? letters : []) different.add(letter);
        if (count >= CONTENT_LETTERS && different.size >= DIFFERENT_LETTERS) at = start + from;
      }
    },
    get at() {
      return at;
    },
  };
}
