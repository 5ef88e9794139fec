import { hexRun } from './hex-run.ts';
import type { NameGrams } from './name-grams.ts';
import { slotsOf } from './slots.ts';

/** What a text looks like, letter by letter. */
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

const counts = new Uint16Array(128);

/** Writes the features of one text into `out` from `at` on; an empty text is all zeros. At most 200 characters are read. */
export function describeText(text: string, grams: NameGrams, out: Float32Array, at: number): void {
  const length = Math.min(text.length, 200);
  counts.fill(0);
  let digits = 0;
  let hyphens = 0;
  let dots = 0;
  let letters = 0;
  let vowels = 0;
  let consonantRun = 0;
  let longestConsonants = 0;
  let digitRun = 0;
  let longestDigits = 0;
  let turns = 0;
  let repeat = 0;
  let longestRepeat = 0;
  let previous = 0;
  let previousKind = 0;
  let surprise = 0;
  let largest = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < length; i++) {
    let code = text.charCodeAt(i);
    if (code >= 65 && code <= 90) code += 32;
    counts[code & 127] = (counts[code & 127] ?? 0) + 1;
    let kind = 0;
    if (code >= 97 && code <= 122) {
      kind = 1;
      letters++;
      if (isVowel(code)) {
        vowels++;
        consonantRun = 0;
      } else if (++consonantRun > longestConsonants) longestConsonants = consonantRun;
      digitRun = 0;
    } else {
      consonantRun = 0;
      if (code >= 48 && code <= 57) {
        kind = 2;
        digits++;
        if (++digitRun > longestDigits) longestDigits = digitRun;
      } else {
        digitRun = 0;
        if (code === 45) hyphens++;
        else if (code === 46) dots++;
      }
    }
    if (kind + previousKind === 3) turns++;
    repeat = code === previous ? repeat + 1 : 1;
    if (repeat > longestRepeat) longestRepeat = repeat;
    previous = code;
    previousKind = kind;
    const third = grams.classOf(code);
    const bits = grams.surprise(first, second, third);
    surprise += bits;
    if (bits > largest) largest = bits;
    first = second;
    second = third;
  }
  let entropy = 0;
  if (length > 0) {
    for (let code = 0; code < counts.length; code++) {
      const share = (counts[code] ?? 0) / length;
      if (share > 0) entropy -= share * Math.log2(share);
    }
  }
  out[at + SLOT.length] = length;
  out[at + SLOT.digits] = digits;
  out[at + SLOT.hyphens] = hyphens;
  out[at + SLOT.dots] = dots;
  out[at + SLOT.vowel_share] = letters === 0 ? 0 : vowels / letters;
  out[at + SLOT.longest_consonant_run] = longestConsonants;
  out[at + SLOT.longest_digit_run] = longestDigits;
  out[at + SLOT.letter_digit_turns] = turns;
  out[at + SLOT.entropy] = entropy;
  out[at + SLOT.longest_repeat] = longestRepeat;
  out[at + SLOT.mean_surprise] = length === 0 ? 0 : (surprise + grams.surprise(first, second, 0)) / (length + 1);
  out[at + SLOT.largest_surprise] = largest;
  out[at + SLOT.hex_run] = hexRun(text, length);
}

function isVowel(code: number): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121;
}
