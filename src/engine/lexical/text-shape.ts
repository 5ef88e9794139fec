import { slotsOf } from './slots.ts';

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

/** Character statistics of a text. */
export const SHAPE_COLUMNS = [
  'length',
  'digits',
  'hyphens',
  'dots',
  'vowel_share',
  'longest_consonant_run',
  'longest_digit_run',
  'letter_digit_turns',
  'entropy',
  'longest_repeat',
  'mean_surprise',
  'largest_surprise',
  'hex_run',
] as const;

const SLOT = slotsOf(SHAPE_COLUMNS);

const MAX_READ = 200;
const LETTER = 1;
const DIGIT = 2;

/**
 * Writes {@link SHAPE_COLUMNS} of a text into `out` from `at` on; all zeros for an empty text. Reads 200 characters.
 */
export function describeText(text: string, grams: NameGrams, out: Float32Array, at: number): void {
  const length = Math.min(text.length, MAX_READ);
  out[at + SLOT.length] = length;
  describeRuns(text, length, out, at);
  out[at + SLOT.entropy] = entropyOf(text, length);
  describeSurprise(text, length, grams, out, at);
  out[at + SLOT.hex_run] = hexRun(text, length);
}

/** Counts kinds of characters and the lengths of their runs. */
function describeRuns(text: string, length: number, out: Float32Array, at: number): void {
  let digits = 0;
  let hyphens = 0;
  let dots = 0;
  let letters = 0;
  let vowels = 0;
  let turns = 0;
  let consonantRun = 0;
  let digitRun = 0;
  let repeat = 0;
  let longestConsonants = 0;
  let longestDigits = 0;
  let longestRepeat = 0;
  let previous = 0;
  let previousKind = 0;
  for (let i = 0; i < length; i++) {
    const code = lowerAt(text, i);
    const kind = kindOf(code);
    const isVowelLetter = kind === LETTER && isVowel(code);
    if (kind === LETTER) letters++;
    if (isVowelLetter) vowels++;
    if (kind === DIGIT) digits++;
    if (code === HYPHEN) hyphens++;
    if (code === DOT) dots++;
    if (kind + previousKind === LETTER + DIGIT) turns++;
    consonantRun = kind === LETTER && !isVowelLetter ? consonantRun + 1 : 0;
    digitRun = kind === DIGIT ? digitRun + 1 : 0;
    repeat = code === previous ? repeat + 1 : 1;
    longestConsonants = Math.max(longestConsonants, consonantRun);
    longestDigits = Math.max(longestDigits, digitRun);
    longestRepeat = Math.max(longestRepeat, repeat);
    previous = code;
    previousKind = kind;
  }
  out[at + SLOT.digits] = digits;
  out[at + SLOT.hyphens] = hyphens;
  out[at + SLOT.dots] = dots;
  out[at + SLOT.vowel_share] = letters === 0 ? 0 : vowels / letters;
  out[at + SLOT.longest_consonant_run] = longestConsonants;
  out[at + SLOT.longest_digit_run] = longestDigits;
  out[at + SLOT.letter_digit_turns] = turns;
  out[at + SLOT.longest_repeat] = longestRepeat;
}

const counts = new Uint16Array(128);

/** Returns the entropy in bits per character. */
function entropyOf(text: string, length: number): number {
  if (length === 0) return 0;
  counts.fill(0);
  for (let i = 0; i < length; i++) {
    const code = lowerAt(text, i) & 127;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let entropy = 0;
  for (let code = 0; code < counts.length; code++) {
    const count = counts[code] ?? 0;
    if (count > 0) entropy -= summandOf(count, length);
  }
  return entropy;
}

/** Summands of entropies by length and count; 0 if not asked for yet. */
const summands = new Float64Array((MAX_READ + 1) ** 2);

/** Returns `p log2 p` for a share of characters; the logarithm takes several times as long as the table. */
function summandOf(count: number, length: number): number {
  const at = length * (MAX_READ + 1) + count;
  const known = summands[at] ?? 0;
  if (known !== 0) return known;
  const share = count / length;
  const summand = share * Math.log2(share);
  summands[at] = summand;
  return summand;
}

/** Measures how surprising the characters are under the trigrams of popular names. */
function describeSurprise(text: string, length: number, grams: NameGrams, out: Float32Array, at: number): void {
  let sum = 0;
  let largest = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < length; i++) {
    const third = grams.classOf(lowerAt(text, i));
    const bits = grams.surprise(first, second, third);
    sum += bits;
    if (bits > largest) largest = bits;
    first = second;
    second = third;
  }
  out[at + SLOT.mean_surprise] = length === 0 ? 0 : (sum + grams.surprise(first, second, 0)) / (length + 1);
  out[at + SLOT.largest_surprise] = largest;
}

const HYPHEN = 45;
const DOT = 46;

function lowerAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LETTER;
  return code >= 48 && code <= 57 ? DIGIT : 0;
}

function isVowel(code: number): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121;
}

/** Returns the length of the longest run of hexadecimal digits with both a letter and a decimal digit; 0 if none. */
function hexRun(text: string, length: number): number {
  let longest = 0;
  let run = 0;
  let decimals = 0;
  for (let i = 0; i <= length; i++) {
    const code = i < length ? text.charCodeAt(i) | 32 : 0;
    const decimal = i < length && code >= 48 && code <= 57;
    if (decimal || (code >= 97 && code <= 102)) {
      run++;
      if (decimal) decimals++;
      continue;
    }
    if (run > longest && decimals > 0 && decimals < run) longest = run;
    run = 0;
    decimals = 0;
  }
  return longest;
}
