/** Number of character classes: letters, digits, hyphen, dot, others, and the edge of a text (0). */
export const NAME_CLASSES = 40;

/** Surprise of a character after the two before it, learned from the names of popular sites. */
export interface NameGrams {
  classOf(code: number): number;
  /**
   * Returns the surprise in bits under the trigrams of popular names; classes as returned by `classOf`, 0 for the edge.
   */
  surprise(first: number, second: number, third: number): number;
}

const CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return code - 96;
  if (code >= 48 && code <= 57) return code - 48 + 27;
  return code === 45 ? 37 : code === 46 ? 38 : 39;
});

/** Returns the class of a lower-case character, 1 to 39. */
export function nameClass(code: number): number {
  return code < 128 ? (CLASS[code] ?? 39) : 39;
}

/** Wraps a table of {@link NAME_CLASSES}³ surprises in eighths of a bit. */
export function createNameGrams(table: Uint8Array): NameGrams {
  return {
    classOf: nameClass,
    surprise: (first, second, third) => (table[(first * NAME_CLASSES + second) * NAME_CLASSES + third] ?? 0) / 8,
  };
}
