import { domainToUnicode } from 'node:url';
import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import confusables from './confusables.json' with { type: 'json' };
import { thinMarks } from './read-url.ts';

/** ASCII form of each confusable character (UTS #39, as derived into `confusables.json`). */
const PLAIN_FORM: ReadonlyMap<string, string> = new Map(
  Object.entries(confusables.entries).flatMap(([plain, characters]) =>
    [...characters].map((it) => [it, plain] as const),
  ),
);

/** ASCII that is read as other ASCII: digits for letters, `rn` for m, `cl` for d, `vv` for w, and one form for i, l, 1. */
const FOLDED: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  d: 'cl',
  i: 'l',
  m: 'rn',
  w: 'vv',
};
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g');

const MARKS = /\p{M}+/gu;

/** A host or a label of one as a person reads it: `xn--…` decoded; as it is if that fails. */
export function displayName(name: string): string {
  return name.includes('xn--') ? domainToUnicode(name) || name : name;
}

/** `text` in lower case with the characters that look like ASCII letters replaced by these, and accents removed. */
export function toPlainLookAlike(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  // Some of the table's characters would fall apart under NFD, and some appear only through it.
  const plain = replaceLookAlikes(lower);
  return isAscii(plain) ? plain : replaceLookAlikes(thinMarks(plain).normalize('NFD').replace(MARKS, ''));
}

/**
 * Returns the appearance of a text at a glance: two texts of one skeleton are easily taken for one another. Idempotent.
 * For comparison only; it is not readable.
 */
export function skeleton(text: string): string {
  return toPlainLookAlike(text).replace(FOLDABLE, (character) => FOLDED[character] ?? character);
}

function replaceLookAlikes(text: string): string {
  let plain = '';
  for (const character of text) plain += PLAIN_FORM.get(character) ?? character;
  return plain;
}
