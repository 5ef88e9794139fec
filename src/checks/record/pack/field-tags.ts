/** The first byte of each value. */
export const TAG = {
  null: 0,
  false: 1,
  true: 2,
  float: 3,
  integer: 4,
  decimal: 5,
  text: 6,
  /** Text that UTF-8 does not hold: half of a surrogate pair. */
  units: 7,
  /** A part of the URL. */
  slice: 8,
  /** A text that came before. */
  earlier: 9,
  word: 10,
  list: 11,
  object: 12,
  moment: 13,
  reason: 14,
  sentence: 15,
} as const;

/** From here on a byte is a word, a small number or a shape by itself. */
export const FIRST_WORD = 16;
export const FIRST_NUMBER = 128;
export const FIRST_SHAPE = 224;

/** The form in which records are written. Each that ever was is read. */
export const PACK_VERSION = 2;

/** A number of no more decimals, and no larger without its point, takes less room so than as a double. */
export const MAX_DECIMALS = 4;
export const MAX_SCALED = 1_000_000;
